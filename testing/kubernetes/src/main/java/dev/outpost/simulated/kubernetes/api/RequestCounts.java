package dev.outpost.simulated.kubernetes.api;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

/** The requests that clients have sent, including those that met a fault. */
public final class RequestCounts {
    private final List<ApiRequest> seen = new CopyOnWriteArrayList<>();

    void add(ApiRequest request) {
        seen.add(request);
    }

    /** @param resource the resource as roles spell it: {@code jobs}, {@code pods/log} */
    public long of(Verb verb, String resource) {
        return of(request ->
                request.verb() == verb && request.path().withSubresource().equals(resource));
    }

    public long of(Predicate<ApiRequest> which) {
        return seen.stream().filter(which).count();
    }

    /** Formats all of them for messages, one per line. */
    @Override
    public String toString() {
        return String.join("\n", seen.stream().map(ApiRequest::toString).toList());
    }
}
