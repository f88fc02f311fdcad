package dev.outpost.simulated.kubernetes.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The permissions of the clients' user: everything that was not denied. */
final class ClientPermissions {
    private record Denied(String verb, String resource) {}

    private final String user;
    private final Set<Denied> denied = ConcurrentHashMap.newKeySet();

    ClientPermissions(String user) {
        this.user = user;
    }

    /** @param resource the resource as roles spell it, such as {@code pods/log} */
    void deny(Verb verb, String resource) {
        denied.add(new Denied(verb.text(), resource));
    }

    void check(ApiRequest request) {
        ResourcePath path = request.path();
        if (isDenied(request.verb().text(), path.withSubresource())) {
            throw ApiStatusException.forbidden(
                    path,
                    "User \"" + user + "\" cannot " + request.verb().text() + " resource \"" + path.withSubresource()
                            + "\" in API group \"" + path.group() + "\" " + scope(path));
        }
    }

    private static String scope(ResourcePath path) {
        return path.namespace().isEmpty() ? "at the cluster scope" : "in the namespace \"" + path.namespace() + "\"";
    }

    /** Answers a review of the user's own permissions. */
    ObjectNode review(ObjectNode review) {
        JsonNode asked = review.path("spec").path("resourceAttributes");
        String resource = JsonObjects.text(asked, "resource");
        String subresource = JsonObjects.text(asked, "subresource");
        String whole = subresource.isEmpty() ? resource : resource + "/" + subresource;
        review.putObject("status").put("allowed", !isDenied(JsonObjects.text(asked, "verb"), whole));
        return review;
    }

    private boolean isDenied(String verb, String resource) {
        return denied.contains(new Denied(verb, resource));
    }
}
