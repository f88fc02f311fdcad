package dev.outpost.provider.k8s.reason;

import dev.outpost.provider.k8s.reason.symptom.ImageSymptom;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Interprets the message of a container runtime, containerd or CRI-O, that could not pull an image. */
final class ImageAnswer {
    private static final Pattern NOT_FOUND = Pattern.compile("not found|manifest unknown|name unknown|notfound");
    private static final Pattern UNAUTHORIZED = Pattern.compile(
            "unauthorized|authorization failed|authentication required|access denied|denied: |access to the resource is"
                    + " denied|no basic auth credentials|403 forbidden");
    private static final Pattern NOT_TRUSTED =
            Pattern.compile("x509: |certificate signed by unknown|server gave http response to https client");
    private static final Pattern UNREACHABLE = Pattern.compile(
            "no such host|i/o timeout|connection refused|no route to host|network is unreachable|tls handshake timeout"
                    + "|connection reset|server misbehaving|deadline exceeded|request canceled");
    private static final Pattern RATE_LIMITED = Pattern.compile("toomanyrequests|too many requests|pull rate limit");

    /** The part of a message that comes from the network library. */
    private static final Pattern NETWORK =
            Pattern.compile("(?:dial tcp|tls: |x509: |net/http|http: server|context deadline).*", Pattern.DOTALL);

    private ImageAnswer() {}

    /**
     * Returns the symptom. The order of the checks matters, because a wrong platform is reported as not found, and a proxy's refusal names
     * a host.
     */
    static ImageSymptom meaning(String message) {
        String text = message.toLowerCase(Locale.ROOT);
        if (text.contains("no match for platform") || text.contains("no image found in image index for architecture")) {
            return ImageSymptom.WRONG_PLATFORM;
        }
        if (text.contains("no space left on device")) {
            return ImageSymptom.DISK_FULL;
        }
        if (RATE_LIMITED.matcher(text).find()) {
            return ImageSymptom.RATE_LIMITED;
        }
        return ofTheRegistry(text);
    }

    private static ImageSymptom ofTheRegistry(String text) {
        if (NOT_TRUSTED.matcher(text).find()) {
            return ImageSymptom.NOT_TRUSTED;
        }
        if (UNREACHABLE.matcher(text).find()) {
            return ImageSymptom.UNREACHABLE;
        }
        if (UNAUTHORIZED.matcher(text).find()) {
            return ImageSymptom.UNAUTHORIZED;
        }
        return NOT_FOUND.matcher(text).find() ? ImageSymptom.NOT_FOUND : ImageSymptom.PULL_FAILED;
    }

    /** Returns the network library's part of the message, without the steps before it. */
    static String network(String message) {
        Matcher matcher = NETWORK.matcher(message);
        return RefusalMessages.oneLine(matcher.find() ? matcher.group() : message);
    }
}
