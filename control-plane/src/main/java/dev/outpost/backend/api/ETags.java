package dev.outpost.backend.api;

import jakarta.ws.rs.core.Response;
import java.util.Optional;

/** Versions of rows as ETags. */
public final class ETags {
    private ETags() {}

    public static String tag(long version) {
        return "\"" + version + "\"";
    }

    /** An answer with a view of a row of this version. */
    public static Response tagged(Response.ResponseBuilder response, Object view, long version) {
        return response.header("ETag", tag(version)).entity(view).build();
    }

    /**
     * Refuses a change that is meant for another version.
     *
     * @param expected as {@link #expected} has it
     * @param version the version that is there, 0 for none
     */
    public static void require(Optional<Long> expected, long version, String kind, Object name) {
        if (expected.filter(asked -> asked != version).isPresent()) {
            throw Problem.changedSince(kind, name);
        }
    }

    /**
     * The version that a change is meant for.
     *
     * @param ifMatch the header If-Match, which may be absent
     * @param ifNoneMatch the header If-None-Match, of which {@code *} says that there must be none yet
     * @return 0 for none yet; empty where the change is for whichever version there is
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
