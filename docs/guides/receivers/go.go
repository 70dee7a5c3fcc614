// Receives Carecover's webhooks in Go. WEBHOOK_SECRET is the endpoint's signing secret (whsec_…).
package main

import (
	"cmp"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"time"

	"carecover.example/carecover"
)

const maxBodyBytes = 64 << 10

// In production, insert the event into your database in receive, with its ID as a unique key, and process it from there.
// A channel and a map in memory are lost at a restart, and are not shared between processes.
var events = make(chan *carecover.Event, 1000)

func processEvents() {
	receivedIDs := map[carecover.EventID]bool{}
	for event := range events {
		if !receivedIDs[event.ID] {
			receivedIDs[event.ID] = true
			fmt.Println("received", event.Type)
		}
	}
}

func receive(secret string) http.HandlerFunc {
	return func(writer http.ResponseWriter, request *http.Request) {
		// The signature covers the exact bytes, so they are verified before any other code parses them.
		body, err := io.ReadAll(http.MaxBytesReader(writer, request.Body, maxBodyBytes))
		if err != nil {
			writer.WriteHeader(http.StatusRequestEntityTooLarge)
			return
		}
		event, err := carecover.VerifyWebhook(body, request.Header, secret)
		if err != nil {
			writer.WriteHeader(http.StatusBadRequest)
			return
		}
		events <- event
		writer.WriteHeader(http.StatusNoContent)
	}
}

func main() {
	secret := os.Getenv("WEBHOOK_SECRET")
	if secret == "" {
		log.Fatal("set WEBHOOK_SECRET to the signing secret of the endpoint")
	}
	http.Handle("POST /hooks", receive(secret))
	go processEvents()
	listener, err := net.Listen("tcp", ":"+cmp.Or(os.Getenv("PORT"), "3000"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("listening on port", listener.Addr().(*net.TCPAddr).Port)
	server := http.Server{ReadTimeout: 15 * time.Second}
	log.Fatal(server.Serve(listener))
}
