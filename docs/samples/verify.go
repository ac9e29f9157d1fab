// Is this delivery from the service? Go 1.18 or later, no modules.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

// Verify tells whether the headers prove the body, which must be the bytes as they came. Standard Webhooks: base64 of
// HMAC-SHA256 over id, ".", timestamp, "." and body, under the key whose base64 follows "whsec_".
func Verify(secret string, headers http.Header, body []byte, tolerance time.Duration) bool {
	id, timestamp := headers.Get("webhook-id"), headers.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || math.Abs(time.Since(time.Unix(seconds, 0)).Seconds()) > tolerance.Seconds() {
		return false
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	// Anybody can sign with an empty key.
	if err != nil || len(key) == 0 {
		return false
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + timestamp + "."))
	mac.Write(body)
	expected := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	// For a day after a rotation there are two, separated by a space.
	for _, given := range strings.Split(headers.Get("webhook-signature"), " ") {
		if hmac.Equal([]byte(given), expected) {
			return true
		}
	}
	return false
}

// To try it: WEBHOOK_SECRET=whsec_… go run verify.go <webhook-id> <webhook-timestamp> <webhook-signature> < body
func main() {
	headers := http.Header{}
	for i, name := range []string{"webhook-id", "webhook-timestamp", "webhook-signature"} {
		if len(os.Args) > i+1 {
			headers.Set(name, os.Args[i+1])
		}
	}
	tolerance := 300 * time.Second
	if seconds, err := strconv.Atoi(os.Getenv("WEBHOOK_TOLERANCE")); err == nil {
		tolerance = time.Duration(seconds) * time.Second
	}
	body, err := io.ReadAll(os.Stdin)
	if err != nil || !Verify(os.Getenv("WEBHOOK_SECRET"), headers, body, tolerance) {
		fmt.Println("refused")
		os.Exit(1)
	}
	fmt.Println("genuine")
}
