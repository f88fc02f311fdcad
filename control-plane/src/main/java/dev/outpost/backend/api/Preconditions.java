package dev.outpost.backend.api;

import jakarta.ws.rs.HeaderParam;
import java.util.Optional;

/** The headers of a change that say which version of a row it expects. */
public class Preconditions {
    @HeaderParam("If-Match")
    String ifMatch;

    @HeaderParam("If-None-Match")
    String ifNoneMatch;

    public static String tag(long version) {
        return "\"" + version + "\"";
    }

    /**
     * Refuses the change if it expects another version of the row than {@code version}; 0 stands for a missing row.
     */
    public void require(long version, String kind, Object name) {
        require(version(), version, kind, name);
    }

    /** Refuses a change that expects another version. */
    public static void require(Optional<Long> expected, long version, String kind, Object name) {
        if (expected.filter(asked -> asked != version).isPresent()) {
            throw Problem.changedSince(kind, name);
        }
    }

    /** Returns the version that the change expects: 0 if the row must not exist yet; empty if it fits any version. */
    public Optional<Long> version() {
        return "*".equals(ifNoneMatch) ? Optional.of(0L) : version(ifMatch);
    }

    /**
     * Returns the version that a change expects; empty if it fits any version.
     *
     * @param ifMatch the header If-Match, which may be absent
     */
    public static Optional<Long> version(String ifMatch) {
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
