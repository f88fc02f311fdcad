package dev.outpost.channel.grant;

/**
 * The token with which a job's program opens its machine. Runner and control plane both derive it from the runner's own token:
 * HMAC-SHA256 (RFC 2104) of a fixed text under that token. So the machine can get its hash before the runner starts.
 */
public final class RunnerToken {
    private static final String PURPOSE = "the machine of this runner";

    private RunnerToken() {}

    /**
     * Derives the token for the runner's machine.
     *
     * @param runnerToken the runner's secret
     * @return the token, in the URL's form of Base64 without padding
     */
    public static String ofMachine(String runnerToken) {
        return Secrets.derive(runnerToken, PURPOSE);
    }

    /**
     * Returns the SHA-256 of {@link #ofMachine}, in the form of grants.
     *
     * @param runnerToken the runner's secret
     * @return the hash, in hex
     */
    public static String hashOfMachine(String runnerToken) {
        return Secrets.sha256Hex(ofMachine(runnerToken));
    }
}
