// Made-up GPUs of a node: a device plugin and a DRA driver, with the names and formats of NVIDIA's. They give containers no device,
// only the variables that NVIDIA's give.
//
//	gpus KUBECONFIG FILE
//
// FILE says which GPUs there are (see inventory.go). It is read anew whenever it has changed.
package main

import (
	"bytes"
	"context"
	"log"
	"os"
	"os/signal"
	"syscall"
	"time"

	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
)

const (
	node     = "node1"
	interval = 200 * time.Millisecond
)

func main() {
	log.SetFlags(log.Ltime | log.Lmicroseconds)
	if len(os.Args) != 3 {
		log.Fatal("usage: gpus KUBECONFIG FILE")
	}
	config, err := clientcmd.BuildConfigFromFlags("", os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	client := kubernetes.NewForConfigOrDie(config)
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	watch(ctx, os.Args[2], client)
}

// Hands the inventory on at the start, when the file has changed, when the node has left and come back, and until it was taken.
func watch(ctx context.Context, file string, client kubernetes.Interface) {
	plugin := newDevicePlugin(client)
	var driver *draDriver
	var shown []byte
	var shownTo types.UID
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for ; ctx.Err() == nil; <-ticker.C {
		text, err := os.ReadFile(file)
		if err != nil {
			log.Fatal(err)
		}
		there := uidOfNode(ctx, client)
		if there == "" || (bytes.Equal(text, shown) && there == shownTo) {
			continue
		}
		// The slices belong to the node that there was, so another one wants a new driver.
		if driver != nil && there != shownTo {
			driver.helper.Stop()
			driver = nil
		}
		if driver == nil {
			driver, err = startDriver(ctx, client)
		}
		var parsed inventory
		if err == nil {
			parsed, err = parse(text)
		}
		if err == nil {
			err = plugin.show(ctx, parsed)
		}
		if err == nil {
			err = driver.show(ctx, parsed)
		}
		if err != nil {
			log.Printf("%s: %v", file, err)
			time.Sleep(time.Second)
			continue
		}
		shown, shownTo = text, there
		log.Printf("%d GPUs of the device plugin, %d of the DRA driver", len(parsed.DevicePlugin), len(parsed.DRA))
	}
	if driver != nil {
		driver.helper.Stop()
	}
}

// The identity of the node, which another one of its name does not have; empty while there is none, or the API server is away.
func uidOfNode(ctx context.Context, client kubernetes.Interface) types.UID {
	found, err := client.CoreV1().Nodes().Get(ctx, node, meta.GetOptions{})
	if err != nil {
		return ""
	}
	return found.UID
}
