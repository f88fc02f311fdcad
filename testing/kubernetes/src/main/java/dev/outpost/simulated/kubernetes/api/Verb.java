package dev.outpost.simulated.kubernetes.api;

import java.util.Locale;

/** The verb of a request, in the words in which permissions are given. */
public enum Verb {
    GET,
    LIST,
    WATCH,
    CREATE,
    UPDATE,
    PATCH,
    DELETE,
    DELETECOLLECTION;

    /** As it stands in roles and in messages. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The verb of an HTTP request. */
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
