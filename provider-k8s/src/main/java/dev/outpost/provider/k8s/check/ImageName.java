package dev.outpost.provider.k8s.check;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of an image, as container runtimes parse it.
 *
 * @param registry the host, such as {@code ghcr.io}; {@code docker.io} if the name has none
 * @param repository the path, with {@code library/} before a bare name of Docker Hub
 * @param version the tag or the digest, with its colon or at sign
 * @see <a href="https://github.com/distribution/reference">the grammar</a>
 */
record ImageName(String registry, String repository, String version) {
    private static final String HUB = "docker.io";
    private static final String PART = "[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*";
    private static final String HOST = "(?:[A-Za-z0-9.-]+\\.[A-Za-z0-9.-]+|localhost|[A-Za-z0-9.-]+(?=:\\d))(?::\\d+)?";
    private static final Pattern FORM = Pattern.compile("(?:(" + HOST + ")/)?"
            + "(" + PART + "(?:/" + PART + ")*)"
            + "(?::(\\w[\\w.-]{0,127}))?"
            + "(?:@([A-Za-z0-9+._-]+:[0-9a-fA-F]{32,}))?");

    /** Parses a name; empty if it is not valid. */
    static Optional<ImageName> parse(String text) {
        Matcher matcher = FORM.matcher(text);
        return matcher.matches() ? Optional.of(of(matcher)) : Optional.empty();
    }

    private static ImageName of(Matcher matcher) {
        String registry = matcher.group(1) == null ? HUB : matcher.group(1);
        String repository = matcher.group(2);
        boolean bare = registry.equals(HUB) && !repository.contains("/");
        return new ImageName(registry, bare ? "library/" + repository : repository, version(matcher));
    }

    private static String version(Matcher matcher) {
        if (matcher.group(4) != null) {
            return "@" + matcher.group(4);
        }
        return ":" + (matcher.group(3) == null ? "latest" : matcher.group(3));
    }

    /** Returns true if the text is a name of the same image, possibly in another spelling. */
    boolean isCalled(String other) {
        return parse(other).filter(this::equals).isPresent();
    }
}
