package dev.outpost.rest.job;

/** What a secret is from then on; the project is the key's unless given. */
public record SecretRequest(String project, String value) {
    @Override
    public String toString() {
        return "SecretRequest[" + project + ", hidden]";
    }
}
