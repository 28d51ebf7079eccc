// The log of a guardian by Go's own transparency log packages, from the files that scripts/guardian-log.ts has written: signatures and roots,
// that it only grows, both cosignatures, and that a flipped entry, a cut tail and a split view are noticed. Prints a line for each: `ok`, or
// `failed` with the reason, then the name.
package main

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

var folder = os.Args[1]

func main() {
	key, err := note.NewVerifier(read("key"))
	step("reads the key of the log", err)
	if err != nil {
		os.Exit(1)
	}
	trees := map[string]tlog.Tree{}
	for _, name := range []string{"first", "second", "flipped", "cut"} {
		tree, err := open(name+"/checkpoint", key)
		trees[name] = tree
		step("opens the checkpoint "+name, err)
		step("computes the root of "+name, checkRoot(name, tree))
	}
	first, second, flipped, cut := trees["first"], trees["second"], trees["flipped"], trees["cut"]
	step("finds that the log has only grown", checkGrown("second", first, second))
	step("opens the service's cosignature", openCosigned("second/checkpoint", key, "service-witness"))
	service, err := note.NewVerifier(read("service-key"))
	if err == nil {
		err = openCosigned("service-checkpoint", service, "witness")
	}
	step("opens the guardian's cosignature of the service's log", err)
	step("believes no other cosignature", noticed(openCosigned("service-checkpoint", service, "service-witness")))
	step("notices a flipped entry", noticed(checkGrown("flipped", first, flipped)))
	step("notices a flipped hash", checkFlippedHash(second))
	step("notices a cut tail", checkCut(cut, second))
	step("notices a split view", checkSplit(second, flipped))
	step("believes no other history under a cosignature", noticed(openCosigned("flipped/checkpoint", key, "service-witness")))
}

func step(name string, err error) {
	if err != nil {
		fmt.Printf("failed\t%s\t%s\n", name, strings.ReplaceAll(err.Error(), "\n", " "))
		return
	}
	fmt.Printf("ok\t%s\n", name)
}

// noticed turns what has to fail round.
func noticed(err error) error {
	if err == nil {
		return errors.New("it passes")
	}
	return nil
}

func read(path string) string {
	data, err := os.ReadFile(filepath.Join(folder, path))
	if err != nil {
		fmt.Printf("failed\treads %s\t%v\n", path, err)
		os.Exit(1)
	}
	return string(data)
}

// open verifies a checkpoint's signature and reads what it says.
func open(path string, key note.Verifier) (tlog.Tree, error) {
	opened, err := note.Open([]byte(read(path)), note.VerifierList(key))
	if err != nil {
		return tlog.Tree{}, err
	}
	lines := strings.Split(opened.Text, "\n")
	if len(lines) != 4 || lines[0] != key.Name() {
		return tlog.Tree{}, fmt.Errorf("another text than expected: %q", opened.Text)
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	if err != nil {
		return tlog.Tree{}, err
	}
	root, err := tlog.ParseHash(lines[2])
	return tlog.Tree{N: size, Hash: root}, err
}

// cosigner verifies what C2SP tlog-cosignature calls cosignature/v1, which Go's packages do not have.
type cosigner struct {
	name string
	hash uint32
	key  ed25519.PublicKey
}

func (c cosigner) Name() string    { return c.name }
func (c cosigner) KeyHash() uint32 { return c.hash }
func (c cosigner) Verify(text, sig []byte) bool {
	if len(sig) != 8+ed25519.SignatureSize {
		return false
	}
	signed := fmt.Sprintf("cosignature/v1\ntime %d\n%s", binary.BigEndian.Uint64(sig), text)
	return ed25519.Verify(c.key, []byte(signed), sig[8:])
}

func openCosigned(path string, log note.Verifier, witness string) error {
	parts := strings.SplitN(read(witness), "+", 3)
	if len(parts) != 3 {
		return errors.New("no key of a witness")
	}
	hash, err := strconv.ParseUint(parts[1], 16, 32)
	if err != nil {
		return err
	}
	key, err := base64.StdEncoding.DecodeString(parts[2])
	if err != nil || len(key) != 1+ed25519.PublicKeySize || key[0] != 4 {
		return errors.New("no key of a witness")
	}
	by := cosigner{parts[0], uint32(hash), ed25519.PublicKey(key[1:])}
	opened, err := note.Open([]byte(read(path)), note.VerifierList(log, by))
	if err != nil {
		return err
	}
	if len(opened.Sigs) != 2 {
		return fmt.Errorf("%d signatures that are known", len(opened.Sigs))
	}
	return nil
}

// tiles reads our tiles of one of the logs: the same as Go's, but that their paths do not name the height.
type tiles struct {
	log  string
	flip bool
}

func (tiles) Height() int { return 8 }

func (t tiles) ReadTiles(wanted []tlog.Tile) ([][]byte, error) {
	var found [][]byte
	for _, tile := range wanted {
		path := filepath.Join(folder, t.log, strings.TrimPrefix(tile.Path(), "tile/8/"))
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		if t.flip && tile.L == 0 && tile.N == 0 {
			data[7*tlog.HashSize] ^= 1
		}
		found = append(found, data)
	}
	return found, nil
}

func (tiles) SaveTiles([]tlog.Tile, [][]byte) {}

// checkRoot computes the root from tiles; the reader checks every tile against the tree besides.
func checkRoot(log string, tree tlog.Tree) error {
	root, err := tlog.TreeHash(tree.N, tlog.TileHashReader(tree, tiles{log: log}))
	if err == nil && root != tree.Hash {
		err = errors.New("another root than the checkpoint says")
	}
	return err
}

func checkGrown(log string, first, second tlog.Tree) error {
	proof, err := tlog.ProveTree(second.N, first.N, tlog.TileHashReader(second, tiles{log: log}))
	if err != nil {
		return err
	}
	return tlog.CheckTree(proof, second.N, second.Hash, first.N, first.Hash)
}

func checkFlippedHash(tree tlog.Tree) error {
	reader := tlog.TileHashReader(tree, tiles{log: "second", flip: true})
	_, err := reader.ReadHashes([]int64{tlog.StoredHashIndex(0, 7)})
	return noticed(err)
}

// A log that was cut is shorter than one that was seen, and what was seen cannot be read from it.
func checkCut(cut, seen tlog.Tree) error {
	if cut.N >= seen.N {
		return errors.New("it is not shorter")
	}
	return noticed(checkRoot("cut", seen))
}

// Two of one size, each signed and each whole: one checkpoint beside the other shows it.
func checkSplit(left, right tlog.Tree) error {
	if left.N != right.N {
		return errors.New("they have two sizes")
	}
	return noticed(tlog.CheckTree(nil, left.N, left.Hash, right.N, right.Hash))
}
