package dev.outpost.simulated.kubernetes.api;

import java.util.Locale;

/** The verb of a request, in the words of permissions. */
public enum Verb {
    GET,
    LIST,
    WATCH,
    CREATE,
    UPDATE,
    PATCH,
    DELETE,
    DELETECOLLECTION;

    /** Formats the verb as in roles and messages. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the verb of an HTTP request. */
    static Verb of(String method, ResourcePath path, boolean watching) {
        return switch (method) {
            case "GET" -> reading(path, watching);
            case "POST" -> CREATE;
            case "PUT" -> UPDATE;
            case "PATCH" -> PATCH;
            case "DELETE" -> path.isCollection() ? DELETECOLLECTION : DELETE;
            default -> throw ApiStatusException.badRequest("method: expected one of HTTP's, got " + method);
        };
    }

    private static Verb reading(ResourcePath path, boolean watching) {
        if (watching) {
            return WATCH;
        }
        return path.isCollection() ? LIST : GET;
    }
}
