// Makes an image of one layer from a folder:
//
//	image ARCHIVE NAME ROOT CONTAINERFILE
//
// ARCHIVE is the file to write: an OCI image layout, which "ctr images import" reads. NAME is the image's name with its tag. ROOT
// becomes the root folder of the image, with the modes and times of its files; all of them belong to root. User, environment and
// entry point are those of the last stage of CONTAINERFILE.
package main

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"runtime"

	"github.com/opencontainers/go-digest"
	"github.com/opencontainers/image-spec/specs-go"
	v1 "github.com/opencontainers/image-spec/specs-go/v1"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 5 {
		log.Fatal("usage: image ARCHIVE NAME ROOT CONTAINERFILE")
	}
	if err := write(os.Args[1], os.Args[2], os.Args[3], os.Args[4]); err != nil {
		log.Fatalf("image: %s: %v", os.Args[2], err)
	}
}

func write(archive, name, root, containerfile string) error {
	text, err := os.ReadFile(containerfile)
	if err != nil {
		return err
	}
	config, err := lastStage(string(text))
	if err != nil {
		return fmt.Errorf("%s: %w", containerfile, err)
	}
	layer, err := os.CreateTemp(filepath.Dir(archive), "layer")
	if err != nil {
		return err
	}
	defer os.Remove(layer.Name())
	defer layer.Close()
	hash := sha256.New()
	if err := writeLayer(io.MultiWriter(layer, hash), root); err != nil {
		return err
	}
	layerDigest := digest.NewDigestFromHex("sha256", hex.EncodeToString(hash.Sum(nil)))

	// The archive appears under its name when it is complete.
	output, err := os.Create(archive + ".new")
	if err != nil {
		return err
	}
	defer output.Close()
	if err := writeArchive(output, name, config, layer, layerDigest); err != nil {
		return err
	}
	return os.Rename(output.Name(), archive)
}

// The files below a folder as a tar archive.
func writeLayer(output io.Writer, root string) error {
	layer := tar.NewWriter(output)
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || path == root {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		target := ""
		if info.Mode()&fs.ModeSymlink != 0 {
			if target, err = os.Readlink(path); err != nil {
				return err
			}
		}
		header, err := tar.FileInfoHeader(info, target)
		if err != nil {
			return err
		}
		if header.Name, err = filepath.Rel(root, path); err != nil {
			return err
		}
		header.Uid, header.Gid, header.Uname, header.Gname = 0, 0, "", ""
		if err := layer.WriteHeader(header); err != nil || !info.Mode().IsRegular() {
			return err
		}
		file, err := os.Open(path)
		if err != nil {
			return err
		}
		defer file.Close()
		_, err = io.Copy(layer, file)
		return err
	})
	if err != nil {
		return err
	}
	return layer.Close()
}

func writeArchive(output io.Writer, name string, config v1.ImageConfig, layer *os.File, layerDigest digest.Digest) error {
	size, err := layer.Seek(0, io.SeekCurrent)
	if err != nil {
		return err
	}
	if _, err := layer.Seek(0, io.SeekStart); err != nil {
		return err
	}
	image := document(v1.Image{
		Platform: v1.Platform{Architecture: runtime.GOARCH, OS: "linux"},
		Config:   config,
		RootFS:   v1.RootFS{Type: "layers", DiffIDs: []digest.Digest{layerDigest}},
	})
	manifest := document(v1.Manifest{
		Versioned: specs.Versioned{SchemaVersion: 2},
		MediaType: v1.MediaTypeImageManifest,
		Config:    descriptor(v1.MediaTypeImageConfig, image),
		Layers:    []v1.Descriptor{{MediaType: v1.MediaTypeImageLayer, Digest: layerDigest, Size: size}},
	})
	entry := descriptor(v1.MediaTypeImageManifest, manifest)
	entry.Annotations = map[string]string{"io.containerd.image.name": name, v1.AnnotationRefName: name}
	index := document(v1.Index{Versioned: specs.Versioned{SchemaVersion: 2}, Manifests: []v1.Descriptor{entry}})

	archive := tar.NewWriter(output)
	for _, file := range []struct {
		name string
		data []byte
	}{
		{v1.ImageLayoutFile, document(v1.ImageLayout{Version: v1.ImageLayoutVersion})},
		{v1.ImageIndexFile, index},
		{blob(digest.FromBytes(image)), image},
		{blob(digest.FromBytes(manifest)), manifest},
	} {
		if err := add(archive, file.name, int64(len(file.data)), bytes.NewReader(file.data)); err != nil {
			return err
		}
	}
	if err := add(archive, blob(layerDigest), size, layer); err != nil {
		return err
	}
	return archive.Close()
}

func add(archive *tar.Writer, name string, size int64, data io.Reader) error {
	if err := archive.WriteHeader(&tar.Header{Name: name, Size: size, Mode: 0o644}); err != nil {
		return err
	}
	_, err := io.Copy(archive, data)
	return err
}

func blob(digest digest.Digest) string { return "blobs/sha256/" + digest.Encoded() }

func descriptor(mediaType string, data []byte) v1.Descriptor {
	return v1.Descriptor{MediaType: mediaType, Digest: digest.FromBytes(data), Size: int64(len(data))}
}

func document(content any) []byte {
	data, err := json.Marshal(content)
	if err != nil {
		panic(err) // plain structures of text and numbers
	}
	return data
}
