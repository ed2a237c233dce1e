// A Go client built by openapi-generator with default settings: a guest signs in, reads the purse and the rooms, and
// accepts what a newer server adds: one more member in every object, and one more value in every enum. Usage: smoke URL
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strings"

	client "github.com/GIT_USER_ID/GIT_REPO_ID"
)

func more(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for name := range v {
			v[name] = more(v[name])
			if name == "kind" {
				v[name] = "word_of_tomorrow"
			}
		}
		v["member_of_tomorrow"] = []int{1}
	case []any:
		for i := range v {
			v[i] = more(v[i])
		}
	}
	return value
}

type newer struct{}

func (newer) RoundTrip(request *http.Request) (*http.Response, error) {
	answer, err := http.DefaultTransport.RoundTrip(request)
	if err != nil || !strings.HasPrefix(answer.Header.Get("Content-Type"), "application/json") {
		return answer, err
	}
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return nil, err
	}
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		return nil, err
	}
	if text, err = json.Marshal(more(value)); err != nil {
		return nil, err
	}
	answer.Body = io.NopCloser(bytes.NewReader(text))
	answer.ContentLength = int64(len(text))
	return answer, nil
}

func must[T any](value T, _ *http.Response, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func main() {
	configuration := client.NewConfiguration()
	configuration.Servers = client.ServerConfigurations{{URL: os.Args[1]}}
	configuration.HTTPClient = &http.Client{Transport: newer{}}
	api := client.NewAPIClient(configuration)
	anyone := context.Background()
	session := must(api.AuthAPI.EnterAsGuest(anyone).GuestRequest(*client.NewGuestRequest()).Execute())
	signedIn := context.WithValue(anyone, client.ContextAccessToken, session.AccessToken)
	wallet := must(api.WalletAPI.GetWallet(signedIn).Execute())
	rooms := must(api.RoomsAPI.ListRooms(signedIn).Execute())
	player := must(api.MeAPI.GetMe(signedIn).Execute())
	if player.Kind != "word_of_tomorrow" {
		log.Fatal(player.Kind)
	}
	fmt.Printf(`{"player":%q,"silver":%d,"rooms":%d}`+"\n", session.Player.Id, wallet.Silver, len(rooms.Items))
}
