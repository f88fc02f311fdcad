package dev.outpost.backend;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/** Refuses secrets in places from which they get into logs or the list of processes. The messages do not repeat the secrets. */
final class SecretSettings {
    private static final String PREFIX = "outpost.backend.";
    private static final List<String> SECRETS =
            List.of("admin-key", "management-key", "seal-key", "database.password", "relay.secret");

    private static final String URL = "OUTPOST_BACKEND_DATABASE_URL";
    private static final String SCHEME = "jdbc:postgresql:";
    private static final String HOST = "([^:/?#,@\\[\\]]+|\\[[0-9A-Fa-f:.%]+])(:[0-9]{1,5})?";
    private static final Pattern FORM =
            Pattern.compile(SCHEME + "(//(" + HOST + "(," + HOST + ")*)?/?)?[^/?#@:]*(\\?.*)?");

    private static final Pattern USER_IN_ADDRESS = Pattern.compile("^//[^/?]*@");
    private static final Pattern PASSWORD_IN_QUERY = Pattern.compile("(?i)[?&]password=");

    private SecretSettings() {}

    /**
     * @param property the system properties, before this process sets any
     * @throws IllegalArgumentException if a secret is among them
     */
    static void requireNoProperties(Function<String, String> property) {
        for (String name : SECRETS) {
            if (property.apply(PREFIX + name) != null) {
                throw new IllegalArgumentException(
                        PREFIX + name + ": a system property stands in the list of processes, where"
                                + " others on this host read it; set the variable " + variable(name));
            }
        }
    }

    private static String variable(String name) {
        return (PREFIX + name).toUpperCase(Locale.ROOT).replaceAll("[.-]", "_");
    }

    /**
     * Checks the database's URL, because the driver and the connection pool print an invalid URL into the log.
     *
     * @throws IllegalArgumentException if the text has a password, or is no database URL
     */
    static void checkDatabaseUrl(Optional<String> url) {
        url.ifPresent(SecretSettings::checkDatabaseUrl);
    }

    private static void checkDatabaseUrl(String url) {
        String rest = url.startsWith(SCHEME) ? url.substring(SCHEME.length()) : url.replaceFirst("^[a-z:]*", "");
        if (USER_IN_ADDRESS.matcher(rest).find()
                || PASSWORD_IN_QUERY.matcher(rest).find()) {
            throw new IllegalArgumentException(
                    URL + ": user and password do not belong into it, since errors repeat it; set"
                            + " OUTPOST_BACKEND_DATABASE_USER and OUTPOST_BACKEND_DATABASE_PASSWORD");
        }
        if (!FORM.matcher(url).matches()) {
            throw new IllegalArgumentException(
                    URL + ": expected " + SCHEME + "//HOST:PORT/DATABASE, got something of another form");
        }
    }
}
