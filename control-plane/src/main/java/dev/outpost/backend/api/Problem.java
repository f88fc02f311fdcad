package dev.outpost.backend.api;

import dev.outpost.backend.fleet.Budgets;
import dev.outpost.backend.model.usage.Quota;
import dev.outpost.rest.LimitView;
import java.time.Duration;
import java.util.Optional;

/** A refusal in the form of RFC 9457: a stable code for programs, and a sentence with the remedy for people. */
public final class Problem extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient Code code;
    private final transient Optional<LimitView> limit;
    private final transient Optional<Duration> retryAfter;

    /** The kinds of errors, by names that never change. */
    public enum Code {
        BAD_REQUEST(400, "The request is malformed", false),
        UNAUTHENTICATED(401, "The request bears no valid key", false),
        FORBIDDEN(403, "The key does not allow this", false),
        NOT_FOUND(404, "There is no such thing", false),
        METHOD_NOT_ALLOWED(405, "The method is not allowed here", false),
        NOT_ACCEPTABLE(406, "There is no such form of the answer", false),
        CONFLICT(409, "It is there, and different", false),
        GONE(410, "It was removed", false),
        CHANGED_SINCE(412, "It was changed since it was read", false),
        UNSUPPORTED_MEDIA_TYPE(415, "The body is of a type that is not read here", false),
        INVALID(422, "A value is refused", false),
        GPU_NOT_HERE(422, "No cluster has this GPU", false),
        QUOTA_EXCEEDED(422, "A quota does not allow as much", false),
        BUDGET_EXCEEDED(422, "A budget does not allow more", false),
        TOO_MANY_REQUESTS(429, "Too many requests were sent", true),
        INTERNAL(500, "The backend failed", false),
        UNAVAILABLE(503, "The backend cannot answer now", true);

        private final int status;
        private final String title;
        private final boolean retryable;

        Code(int status, String title, boolean retryable) {
            this.status = status;
            this.title = title;
            this.retryable = retryable;
        }

        public int status() {
            return status;
        }

        String title() {
            return title;
        }

        boolean isRetryable() {
            return retryable;
        }

        /** Returns the name, such as {@code quota-exceeded}. */
        String text() {
            return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
        }

        static Code of(int status) {
            for (Code code : values()) {
                if (code.status == status) {
                    return code;
                }
            }
            return status >= 500 ? INTERNAL : BAD_REQUEST;
        }
    }

    public static LimitView view(Quota.Excess excess) {
        return new LimitView(
                excess.limit().name(),
                excess.used(),
                excess.asked(),
                excess.limit().allowed());
    }

    public static LimitView view(Budgets.Excess excess) {
        return new LimitView("budget/" + excess.name(), excess.used(), excess.asked(), excess.allowed());
    }

    private Problem(Code code, String detail, Optional<LimitView> limit, Optional<Duration> retryAfter) {
        super(detail, null, false, false);
        this.code = code;
        this.limit = limit;
        this.retryAfter = retryAfter;
    }

    public static Problem of(Code code, String detail) {
        return new Problem(code, detail, Optional.empty(), Optional.empty());
    }

    public static Problem invalid(String detail) {
        return of(Code.INVALID, detail);
    }

    /**
     * Returns the problem of a missing resource. Resources of other tenants get it too, so that a caller cannot find
     * out that they exist.
     */
    public static Problem notFound(String kind, Object name) {
        return of(Code.NOT_FOUND, kind + " " + name + ": there is none that this key can see");
    }

    public static Problem exceeded(Quota.Excess excess) {
        return new Problem(
                Code.QUOTA_EXCEEDED,
                excess.text() + ": it will never fit; ask for less, or have an administrator raise the quota",
                Optional.of(view(excess)),
                Optional.empty());
    }

    /** Returns the problem of a quota of stored bytes that is used up. */
    public static Problem noRoom(Quota.Excess excess) {
        return new Problem(
                Code.QUOTA_EXCEEDED,
                excess.text()
                        + ": programs that no job refers to go after a day, logs and files of old jobs when these are"
                        + " forgotten; wait for that, store less, or have an administrator raise the quota",
                Optional.of(view(excess)),
                Optional.empty());
    }

    public static Problem exceeded(Budgets.Excess excess) {
        return new Problem(
                Code.BUDGET_EXCEEDED,
                excess.text() + "; end other machines, or have an administrator raise the budget",
                Optional.of(view(excess)),
                Optional.empty());
    }

    /**
     * A refusal by a rate limit.
     *
     * @param limited the limited thing, such as "the key"
     * @param what the counted events, such as "requests"
     */
    static Problem tooMany(String limited, String what, LimitView limit, Duration after) {
        return new Problem(
                Code.TOO_MANY_REQUESTS,
                "rate limit of " + limited + ": " + limit.allowed() + " " + what
                        + " a second are allowed; try again in " + after.toMillis() + " ms",
                Optional.of(limit),
                Optional.of(after));
    }

    public static Problem changedSince(String kind, Object name) {
        return of(
                Code.CHANGED_SINCE,
                kind + " " + name + ": it is of another version than If-Match says; read it again, and decide again");
    }

    public Code code() {
        return code;
    }

    public Optional<LimitView> limit() {
        return limit;
    }

    public Optional<Duration> retryAfter() {
        return retryAfter;
    }
}
