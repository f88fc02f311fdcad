package dev.outpost.runtime.sources.hub;

import dev.outpost.runtime.source.SourceSecrets;
import java.net.URI;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The address of a hub, and the token for it.
 *
 * @param base the URL without a slash at its end
 * @param token returns the token, which may be set or change while the machine runs
 */
record HubEndpoint(URI base, Supplier<Optional<String>> token) {
    private static final String STANDARD = "https://huggingface.co";

    /**
     * Returns the endpoint from a secret of the machine, or like the hub's own clients from {@code HF_ENDPOINT} and {@code
     * HF_TOKEN}, or from the system properties {@code hf.endpoint} and so on.
     */
    static HubEndpoint ofEnvironment(SourceSecrets secrets) {
        String base = setting("hf.endpoint", "HF_ENDPOINT").orElse(STANDARD);
        URI uri = URI.create(base.endsWith("/") ? base.substring(0, base.length() - 1) : base);
        if (uri.getHost() == null || !isWeb(uri)) {
            throw new IllegalArgumentException("HF_ENDPOINT: expected a URL such as " + STANDARD + ", got " + base);
        }
        return new HubEndpoint(
                uri, () -> secrets.find("HF_TOKEN").map(String::strip).or(() -> setting("hf.token", "HF_TOKEN")));
    }

    static boolean isWeb(URI uri) {
        return "https".equals(uri.getScheme()) || "http".equals(uri.getScheme());
    }

    private static Optional<String> setting(String property, String variable) {
        return Optional.ofNullable(System.getProperty(property))
                .or(() -> Optional.ofNullable(System.getenv(variable)))
                .map(String::strip)
                .filter(value -> !value.isEmpty());
    }

    /** True if a URL belongs to the hub, so that it may receive the token. */
    boolean owns(URI uri) {
        return base.getScheme().equals(uri.getScheme())
                && base.getHost().equals(uri.getHost())
                && base.getPort() == uri.getPort();
    }

    /** True if the hub may redirect a client to a URL. */
    boolean trusts(URI uri) {
        boolean isStandard = base.toString().equals(STANDARD);
        boolean isOfTheHub = uri.getHost() != null
                && (uri.getHost().endsWith(".huggingface.co") || uri.getHost().endsWith(".hf.co"));
        return owns(uri) || isStandard && isOfTheHub && "https".equals(uri.getScheme());
    }

    @Override
    public String toString() {
        return base.toString();
    }
}
