// Ends of connections, for tests of the network:
//
//	probe serve [HOST:]PORT...  accepts TCP connections and writes the address of the caller; answers each UDP packet
//	probe dial ADDRESS          connects, prints what the other end wrote, and fails after two seconds
//	probe connect ADDRESS       succeeds if a TCP connection is accepted within two seconds
//	probe query ADDRESS         succeeds if a DNS query by UDP is answered within two seconds, whatever the answer
package main

import (
	"fmt"
	"io"
	"log"
	"net"
	"os"
	"strings"
	"time"
)

const timeout = 2 * time.Second

// A query for the addresses of "a.": header with the wish for recursion and one question, its name, type A, class IN.
var query = []byte{0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 'a', 0, 0, 1, 0, 1}

func main() {
	log.SetFlags(0)
	if len(os.Args) < 3 {
		log.Fatal("usage: probe serve PORT..., or probe dial|connect|query ADDRESS")
	}
	var err error
	switch os.Args[1] {
	case "serve":
		ended := make(chan error)
		for _, address := range os.Args[2:] {
			if !strings.Contains(address, ":") {
				address = ":" + address
			}
			go func() { ended <- serve(address) }()
			go func() { ended <- answer(address) }()
		}
		err = <-ended
	case "dial":
		err = dial(os.Args[2])
	case "connect":
		_, err = net.DialTimeout("tcp", os.Args[2], timeout)
	case "query":
		err = ask(os.Args[2])
	default:
		err = fmt.Errorf("there is no command %q", os.Args[1])
	}
	if err != nil {
		log.Fatal(err)
	}
}

func serve(address string) error {
	listener, err := net.Listen("tcp", address)
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

func answer(address string) error {
	socket, err := net.ListenPacket("udp", address)
	if err != nil {
		return err
	}
	packet := make([]byte, 512)
	for {
		length, caller, err := socket.ReadFrom(packet)
		if err != nil {
			return err
		}
		// The caller may be gone by now.
		_, _ = socket.WriteTo(packet[:length], caller)
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

func ask(address string) error {
	socket, err := net.Dial("udp", address)
	if err != nil {
		return err
	}
	defer socket.Close()
	if err := socket.SetDeadline(time.Now().Add(timeout)); err != nil {
		return err
	}
	if _, err := socket.Write(query); err != nil {
		return err
	}
	_, err = socket.Read(make([]byte, 512))
	return err
}
