package dev.outpost.backend.identity;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The rules of the cookie of a browser's session.
 *
 * <p>Over HTTPS its name has the prefix {@code __Host-}, so a browser takes it only from this host, and only with {@code Secure}.
 */
public final class SessionCookie {
    /** The header with the token of a session. */
    public static final String TOKEN = "X-CSRF-Token";

    private static final String PLAIN = "outpost-session";
    private static final String OF_HTTPS = "__Host-" + PLAIN;
    private static final String HTTPS = "https";
    private static final int HTTPS_PORT = 443;
    private static final int HTTP_PORT = 80;
    private static final Pattern LOCAL = Pattern.compile("(?i)([^.]+\\.)*localhost\\.?|127\\.[0-9.]+|\\[?::1]?");

    private SessionCookie() {}

    public static String name(boolean isSecure) {
        return isSecure ? OF_HTTPS : PLAIN;
    }

    /**
     * The headers with which a browser says where a request comes from. A page cannot change them.
     *
     * @param fetchSite the value of {@code Sec-Fetch-Site}; browsers send it over HTTPS and to localhost
     * @param origin the value of {@code Origin}
     * @param host the host to which the request was sent
     * @param port its port; negative for the default port
     */
    public record Sender(Optional<String> fetchSite, Optional<String> origin, String host, int port) {

        /** True if a page of this backend made the request, or a user who entered its address. */
        public boolean isOwnPage() {
            if (fetchSite.isPresent()) {
                String site = fetchSite.get();
                return site.equals("same-origin") || site.equals("none") && origin.isEmpty();
            }
            return origin.isEmpty() || isOwn(origin.get());
        }

        /** True if the page was read over HTTPS, also from a proxy that terminates TLS. */
        public boolean isOverHttps() {
            return origin.filter(text -> text.toLowerCase(Locale.ROOT).startsWith(HTTPS + "://"))
                    .isPresent();
        }

        /**
         * True if the request may have come over plain HTTP. Browsers send {@code Sec-Fetch-Site} over HTTPS and to this host
         * only, so with it a request to another host came over HTTPS, also through a proxy that terminates TLS.
         */
        public boolean mayBePlain() {
            return fetchSite.isEmpty() || LOCAL.matcher(host).matches();
        }

        private boolean isOwn(String text) {
            try {
                URI from = new URI(text);
                int usual = HTTPS.equals(from.getScheme()) ? HTTPS_PORT : HTTP_PORT;
                return host.equalsIgnoreCase(from.getHost()) && or(port, usual) == or(from.getPort(), usual);
            } catch (URISyntaxException ignored) {
                return false;
            }
        }

        private static int or(int port, int usual) {
            return port < 0 ? usual : port;
        }
    }
}
