package dev.outpost.runtime.sources.hub;

import dev.outpost.runtime.source.SourceSecrets;
import java.net.URI;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Where a hub is, and as whom it is asked.
 *
 * @param base without a slash at its end
 * @param token a secret, which may come and change while the machine runs
 */
record HubEndpoint(URI base, Supplier<Optional<String>> token) {
    private static final String STANDARD = "https://huggingface.co";

    /** By a secret that the machine was given, or as the hub's own clients: by {@code HF_ENDPOINT} and {@code HF_TOKEN}, or system properties {@code hf.endpoint} and so on. */
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

    /** Whether a URL is the hub's own, so that it may see the token. */
    boolean owns(URI uri) {
        return base.getScheme().equals(uri.getScheme())
                && base.getHost().equals(uri.getHost())
                && base.getPort() == uri.getPort();
    }

    /** Whether the hub may send a client on to a URL. */
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
