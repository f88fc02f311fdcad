package dev.outpost.simulated.kubernetes.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** The requests of clients, apart from streams. Used under the API server's lock only. */
final class ApiRequests {
    private final ObjectStore store;
    private final Writing writing;
    private final Deletion deletion;
    private final Kinds kinds;
    private final ClientPermissions permissions;

    ApiRequests(ObjectStore store, Writing writing, Deletion deletion, Kinds kinds, ClientPermissions permissions) {
        this.store = store;
        this.writing = writing;
        this.deletion = deletion;
        this.kinds = kinds;
        this.permissions = permissions;
    }

    /** Refuses requests that the clients' user may not make, and requests for unknown resources. */
    void check(ApiRequest request) {
        kinds.of(request.path());
        permissions.check(request);
    }

    ApiResponse answer(ApiRequest request) {
        check(request);
        return switch (request.verb()) {
            case GET -> ApiResponse.ok(existing(request.path()));
            case LIST -> ApiResponse.ok(list(request));
            case CREATE -> create(request);
            case UPDATE -> ApiResponse.ok(writing.update(whole(request)));
            case PATCH -> request.isApply() ? apply(request) : ApiResponse.ok(writing.update(whole(request)));
            case DELETE -> delete(request);
            case DELETECOLLECTION -> deleteAll(request);
            case WATCH -> throw ApiStatusException.badRequest("watch: asked for where nothing can be streamed");
        };
    }

    ObjectNode existing(ResourcePath path) {
        return store.find(path).orElseThrow(() -> ApiStatusException.notFound(path.whole()));
    }

    /** Handles a request about an object or its status. */
    private static ApiRequest whole(ApiRequest request) {
        if (Set.of("", "status").contains(request.path().subresource())) {
            return request;
        }
        throw ApiStatusException.noSuchResource();
    }

    private ObjectNode list(ApiRequest request) {
        Kind kind = kinds.of(request.path());
        ObjectNode list = JsonObjects.object().put("kind", kind.kind() + "List").put("apiVersion", kind.apiVersion());
        list.putObject("metadata").put("resourceVersion", String.valueOf(store.version()));
        ArrayNode items = list.putArray("items");
        selected(request).forEach(items::add);
        return list;
    }

    private List<ObjectNode> selected(ApiRequest request) {
        Predicate<ObjectNode> wanted = Selector.of(request);
        return store.list(request.path()).stream().filter(wanted).toList();
    }

    private ApiResponse create(ApiRequest request) {
        ObjectNode object = JsonObjects.parse(request.body());
        if (request.path().resource().equals("selfsubjectaccessreviews")) {
            return ApiResponse.created(permissions.review(object));
        }
        if (request.path().subresource().equals("eviction")) {
            deletion.delete(request.path().whole(), object.withObjectProperty("deleteOptions"));
            return ApiResponse.created(object);
        }
        return ApiResponse.created(writing.create(request.path(), object, request.manager()));
    }

    private ApiResponse apply(ApiRequest request) {
        if (!request.path().subresource().isEmpty()) {
            throw ApiStatusException.badRequest(
                    "apply: this cluster applies whole objects only, got " + request.path());
        }
        boolean isNew = store.find(request.path()).isEmpty();
        ObjectNode applied = writing.apply(request.path(), JsonObjects.parseYaml(request.body()), request);
        return ApiResponse.of(isNew ? 201 : 200, applied);
    }

    // ---- deletion

    private ApiResponse delete(ApiRequest request) {
        ResourcePath path = request.path();
        ObjectNode object = existing(path);
        deletion.delete(path, options(request));
        return ApiResponse.ok(store.find(path).orElseGet(() -> gone(path, object)));
    }

    private static ObjectNode options(ApiRequest request) {
        ObjectNode options = request.body().isBlank() ? JsonObjects.object() : JsonObjects.parse(request.body());
        request.query().forEach(options::put);
        return options;
    }

    private static ObjectNode gone(ResourcePath path, ObjectNode object) {
        ObjectNode status = JsonObjects.object().put("kind", "Status").put("apiVersion", "v1");
        status.putObject("metadata");
        status.put("status", "Success")
                .putObject("details")
                .put("name", path.name())
                .put("group", path.group())
                .put("kind", path.resource())
                .put("uid", JsonObjects.text(object, "metadata.uid"));
        return status;
    }

    private ApiResponse deleteAll(ApiRequest request) {
        ObjectNode list = list(request);
        selected(request).forEach(object -> {
            ResourcePath path = request.path()
                    .in(JsonObjects.text(object, "metadata.namespace"))
                    .named(JsonObjects.text(object, "metadata.name"));
            deletion.delete(path, options(request));
        });
        return ApiResponse.ok(list);
    }
}
