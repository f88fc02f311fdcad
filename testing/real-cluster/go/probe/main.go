// A pod's end of a connection, for the cluster's own check:
//
//	probe serve PORT        accepts connections and writes the address of the caller
//	probe dial ADDRESS      connects, prints what the other end wrote, and fails after two seconds
package main

import (
	"fmt"
	"io"
	"log"
	"net"
	"os"
	"time"
)

const timeout = 2 * time.Second

func main() {
	log.SetFlags(0)
	if len(os.Args) != 3 {
		log.Fatal("usage: probe serve PORT, or probe dial ADDRESS")
	}
	if os.Args[1] == "serve" {
		log.Fatal(serve(os.Args[2]))
	}
	if err := dial(os.Args[2]); err != nil {
		log.Fatal(err)
	}
}

func serve(port string) error {
	listener, err := net.Listen("tcp", ":"+port)
	if err != nil {
		return err
	}
	for {
		connection, err := listener.Accept()
		if err != nil {
			return err
		}
		fmt.Fprintln(connection, connection.RemoteAddr())
		connection.Close()
	}
}

func dial(address string) error {
	connection, err := net.DialTimeout("tcp", address, timeout)
	if err != nil {
		return err
	}
	defer connection.Close()
	if err := connection.SetDeadline(time.Now().Add(timeout)); err != nil {
		return err
	}
	_, err = io.Copy(os.Stdout, connection)
	return err
}
