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
	plugin := newDevicePlugin(client)
	driver, err := startDriver(ctx, client)
	if err != nil {
		log.Fatal(err)
	}
	watch(ctx, os.Args[2], plugin.show, driver.show)
	driver.helper.Stop()
}

// Hands the inventory on at the start, when the file has changed, and until it was taken.
func watch(ctx context.Context, file string, takers ...func(context.Context, inventory) error) {
	var shown []byte
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for ; ; <-ticker.C {
		if ctx.Err() != nil {
			return
		}
		text, err := os.ReadFile(file)
		if err != nil {
			log.Fatal(err)
		}
		if shown != nil && bytes.Equal(text, shown) {
			continue
		}
		parsed, err := parse(text)
		for _, take := range takers {
			if err == nil {
				err = take(ctx, parsed)
			}
		}
		if err != nil {
			log.Printf("%s: %v", file, err)
			time.Sleep(time.Second)
			continue
		}
		shown = text
		log.Printf("%d GPUs of the device plugin, %d of the DRA driver", len(parsed.DevicePlugin), len(parsed.DRA))
	}
}
