package dev.outpost.rest.tenant;

/** A code of the issuer, and the proof that its sender has asked for it. */
public record CodeRequest(
        String code, String verifier, String redirect, String nonce, String organisation, String project) {
    @Override
    public String toString() {
        return "CodeRequest[hidden, " + organisation + ", " + project + "]";
    }
}
