// An account by e-mail, play money, and its balance: by the client that openapi-generator makes.
package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"log"
	"net/http"
	"os"

	"example.org/trellis"
)

const email = "go@example.org"

// sent returns an answer's body, and ends the program where there was an error instead.
func sent[Answer any](answer Answer, response *http.Response, err error) Answer {
	if err != nil {
		log.Fatalf("%v: %v", err, response)
	}
	return answer
}

func main() {
	configuration := trellis.NewConfiguration()
	configuration.Servers = trellis.ServerConfigurations{{URL: os.Getenv("TRELLIS_URL")}}
	api := trellis.NewAPIClient(configuration)
	ctx := context.WithValue(context.Background(), trellis.ContextAccessToken, os.Getenv("TRELLIS_API_KEY"))
	sandbox := trellis.ENVIRONMENTHEADER_SANDBOX

	request := trellis.EmailCreateAccountRequestAsCreateAccountRequest(trellis.NewEmailCreateAccountRequest("email", email))
	created := sent(api.AccountsAPI.CreateAccount(ctx).XServiceEnvironment(sandbox).CreateAccountRequest(request).Execute())
	if created.Data.PendingAccount == nil {
		log.Fatal("An account by e-mail was asked for.")
	}
	mails := sent(api.SandboxAPI.ReadOutbox(ctx).XServiceEnvironment(sandbox).Email(email).Execute())
	code := mails.Data[0].GetOtpCode()

	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		log.Fatal(err)
	}
	spki, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	if err != nil {
		log.Fatal(err)
	}
	config := trellis.NewSessionKeyConfig(base64.StdEncoding.EncodeToString(spki))
	proof := trellis.NewVerifyAccountRequest(email, code, *config)
	verified := sent(api.AccountsAPI.VerifyAccount(ctx).XServiceEnvironment(sandbox).VerifyAccountRequest(*proof).Execute())
	address := verified.Data.Address

	drop := trellis.NewSandboxAirdropRequest(address, "2500000")
	drop.SetCurrency("usdc")
	sent(api.SandboxAPI.SandboxAirdrop(ctx).XServiceEnvironment(sandbox).SandboxAirdropRequest(*drop).Execute())
	balances := sent(api.AccountsAPI.GetBalances(ctx, address).XServiceEnvironment(sandbox).Execute())
	for _, token := range balances.Data.Tokens {
		if token.GetSymbol() == "USDC" && token.AmountDecimal == "2.5" {
			fmt.Printf("%s holds %s USDC\n", address, token.AmountDecimal)
			return
		}
	}
	log.Fatalf("The balance is %v.", balances.Data)
}
