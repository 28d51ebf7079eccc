// The audit log by Go's own transparency log packages: the checkpoint's signature, its root from our tiles, that an entry is
// in it, and that it only grows. Prints a line for each: `ok`, or `failed` with the reason, then the name.
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

var (
	base   = os.Getenv("TRELLIS_URL")
	apiKey = os.Getenv("TRELLIS_API_KEY")
)

func main() {
	first := step("opens a checkpoint", func() (tlog.Tree, error) { return waitFor(func(tree tlog.Tree) bool { return tree.N > 0 }) })
	step("computes its root from the tiles", func() (tlog.Tree, error) { return first, checkRoot(first) })
	for n := 0; n < 300; n++ {
		if err := makeKey(n); err != nil {
			fmt.Printf("failed\tmakes entries\t%v\n", err)
			os.Exit(1)
		}
	}
	second := step("opens a later checkpoint", func() (tlog.Tree, error) {
		return waitFor(func(tree tlog.Tree) bool { return tree.N >= first.N+300 })
	})
	step("computes the root of several tiles", func() (tlog.Tree, error) { return second, checkRoot(second) })
	step("finds that the log has only grown", func() (tlog.Tree, error) { return second, checkGrown(first, second) })
	step("checks inclusion proofs of the interface", func() (tlog.Tree, error) { return second, checkEntries(20) })
}

func step(name string, run func() (tlog.Tree, error)) tlog.Tree {
	tree, err := run()
	if err != nil {
		fmt.Printf("failed\t%s\t%s\n", name, strings.ReplaceAll(err.Error(), "\n", " "))
	} else {
		fmt.Printf("ok\t%s\n", name)
	}
	return tree
}

func get(path string, key string) ([]byte, error) {
	request, err := http.NewRequest("GET", base+path, nil)
	if err != nil {
		return nil, err
	}
	return send(request, key)
}

func send(request *http.Request, key string) ([]byte, error) {
	if key != "" {
		request.Header.Set("authorization", "Bearer "+key)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode >= 300 {
		err = fmt.Errorf("%s: %d %s", request.URL.Path, answer.StatusCode, body)
	}
	return body, err
}

func makeKey(n int) error {
	body := fmt.Sprintf(`{"name":"log %d","scopes":["audit:read"],"environments":["sandbox"]}`, n)
	request, err := http.NewRequest("POST", base+"/api/service/v1/api-keys", strings.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("content-type", "application/json")
	made, err := send(request, apiKey)
	if err != nil {
		return err
	}
	var answer struct{ Data struct{ Id string } }
	if err := json.Unmarshal(made, &answer); err != nil {
		return err
	}
	request, err = http.NewRequest("DELETE", base+"/api/service/v1/api-keys/"+answer.Data.Id, nil)
	if err == nil {
		_, err = send(request, apiKey)
	}
	return err
}

// open verifies a checkpoint's signature and reads what it says.
func open(signed []byte) (tlog.Tree, error) {
	vkey, err := get("/audit/v1/key", "")
	if err != nil {
		return tlog.Tree{}, err
	}
	verifier, err := note.NewVerifier(strings.TrimSpace(string(vkey)))
	if err != nil {
		return tlog.Tree{}, err
	}
	opened, err := note.Open(signed, note.VerifierList(verifier))
	if err != nil {
		return tlog.Tree{}, err
	}
	lines := strings.Split(opened.Text, "\n")
	if len(lines) != 4 || lines[0] != verifier.Name() {
		return tlog.Tree{}, fmt.Errorf("another text than expected: %q", opened.Text)
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	if err != nil {
		return tlog.Tree{}, err
	}
	root, err := tlog.ParseHash(lines[2])
	return tlog.Tree{N: size, Hash: root}, err
}

// A checkpoint is signed every ten seconds where there is something new.
func waitFor(isNew func(tlog.Tree) bool) (tlog.Tree, error) {
	var last error = errors.New("no checkpoint in a minute")
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(time.Second) {
		signed, err := get("/audit/v1/checkpoint", "")
		if err != nil {
			last = err
			continue
		}
		tree, err := open(signed)
		if err != nil || isNew(tree) {
			return tree, err
		}
	}
	return tlog.Tree{}, last
}

// tiles reads our tiles: the same as Go's, but that their paths do not name the height.
type tiles struct{}

func (tiles) Height() int { return 8 }

func (tiles) ReadTiles(wanted []tlog.Tile) ([][]byte, error) {
	var read [][]byte
	for _, tile := range wanted {
		data, err := get("/audit/v1/tile/"+strings.TrimPrefix(tile.Path(), "tile/8/"), "")
		if err != nil {
			return nil, err
		}
		read = append(read, data)
	}
	return read, nil
}

func (tiles) SaveTiles([]tlog.Tile, [][]byte) {}

// checkRoot computes the root from tiles; the reader checks every tile against the tree besides.
func checkRoot(tree tlog.Tree) error {
	root, err := tlog.TreeHash(tree.N, tlog.TileHashReader(tree, tiles{}))
	if err == nil && root != tree.Hash {
		err = errors.New("another root than the checkpoint says")
	}
	return err
}

func checkGrown(first, second tlog.Tree) error {
	proof, err := tlog.ProveTree(second.N, first.N, tlog.TileHashReader(second, tiles{}))
	if err != nil {
		return err
	}
	return tlog.CheckTree(proof, second.N, second.Hash, first.N, first.Hash)
}

// checkEntries asks the interface for entries with their proofs, and holds each against its checkpoint.
func checkEntries(count int) error {
	listed, err := get("/api/service/v1/audit-events?limit="+strconv.Itoa(count), apiKey)
	if err != nil {
		return err
	}
	var page struct{ Data []struct{ Index int64 } }
	if err := json.Unmarshal(listed, &page); err != nil {
		return err
	}
	if len(page.Data) != count {
		return fmt.Errorf("%d entries", len(page.Data))
	}
	for _, entry := range page.Data {
		err := checkEntry(entry.Index)
		// The newest entries are in no checkpoint yet: one is made every ten seconds.
		for tries := 0; errors.Is(err, errNoProof) && tries < 120; tries++ {
			time.Sleep(500 * time.Millisecond)
			err = checkEntry(entry.Index)
		}
		if err != nil {
			return fmt.Errorf("entry %d: %w", entry.Index, err)
		}
	}
	return nil
}

var errNoProof = errors.New("no proof")

func checkEntry(index int64) error {
	answer, err := get(fmt.Sprintf("/api/service/v1/audit-events/%d", index), apiKey)
	if err != nil {
		return err
	}
	var entry struct {
		Data struct {
			Leaf, Salt, Body string
			Proof            *struct {
				Checkpoint string
				Hashes     []string
			}
		}
	}
	if err := json.Unmarshal(answer, &entry); err != nil {
		return err
	}
	if entry.Data.Proof == nil {
		return errNoProof
	}
	tree, err := open([]byte(entry.Data.Proof.Checkpoint))
	if err != nil {
		return err
	}
	var proof tlog.RecordProof
	for _, text := range entry.Data.Proof.Hashes {
		bytes, err := base64.StdEncoding.DecodeString(text)
		if err != nil || len(bytes) != tlog.HashSize {
			return errors.New("a hash of another form")
		}
		proof = append(proof, tlog.Hash(bytes))
	}
	leaf := []byte(entry.Data.Leaf)
	if err := tlog.CheckRecord(proof, tree.N, tree.Hash, index, tlog.RecordHash(leaf)); err != nil {
		return err
	}
	if tlog.CheckRecord(proof, tree.N, tree.Hash, index, tlog.RecordHash(append(leaf, ' '))) == nil {
		return errors.New("another leaf passes, too")
	}
	salt, err := hex.DecodeString(entry.Data.Salt)
	if err != nil {
		return err
	}
	hash := sha256.Sum256(append(salt, entry.Data.Body...))
	if !bytes.Contains(leaf, []byte(hex.EncodeToString(hash[:]))) {
		return errors.New("its body is not what its leaf says")
	}
	return nil
}
