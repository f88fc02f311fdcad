package dev.outpost.rest.job;

/** The new value of a secret; the project is the key's unless given. */
public record SecretRequest(String project, String value) {
    @Override
    public String toString() {
        return "SecretRequest[" + project + ", hidden]";
    }
}
