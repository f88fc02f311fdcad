package dev.outpost.backend.api;

import jakarta.ws.rs.core.Response;
import java.util.Optional;

/** Versions of rows as ETags. */
public final class ETags {
    private ETags() {}

    public static String tag(long version) {
        return "\"" + version + "\"";
    }

    /** Builds an answer with the view of a row and its version as ETag. */
    public static Response tagged(Response.ResponseBuilder response, Object view, long version) {
        return response.header("ETag", tag(version)).entity(view).build();
    }

    /**
     * Refuses a change that expects another version.
     *
     * @param expected the result of {@link #expected}
     * @param version the present version, 0 if there is no row
     */
    public static void require(Optional<Long> expected, long version, String kind, Object name) {
        if (expected.filter(asked -> asked != version).isPresent()) {
            throw Problem.changedSince(kind, name);
        }
    }

    /**
     * Returns the version that a change expects.
     *
     * @param ifMatch the header If-Match, which may be absent
     * @param ifNoneMatch the header If-None-Match; {@code *} means that the row must not exist yet
     * @return 0 if the row must not exist yet; empty if the change fits any version
     */
    public static Optional<Long> expected(String ifMatch, String ifNoneMatch) {
        if ("*".equals(ifNoneMatch)) {
            return Optional.of(0L);
        }
        if (ifMatch == null || ifMatch.equals("*")) {
            return Optional.empty();
        }
        String bare = ifMatch.replace("\"", "").strip();
        if (!bare.matches("\\d{1,18}")) {
            throw Problem.of(Problem.Code.BAD_REQUEST, "If-Match: expected an ETag such as \"3\", got something else");
        }
        return Optional.of(Long.parseLong(bare));
    }
}
