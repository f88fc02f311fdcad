package dev.outpost.rest.tenant;

/** An ID token of the issuer. */
public record LoginRequest(String idToken, String organisation, String project) {
    @Override
    public String toString() {
        return "LoginRequest[hidden, " + organisation + ", " + project + "]";
    }
}
