package dev.outpost.simulated.kubernetes.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.server.mock.KubernetesCrudDispatcher;
import io.fabric8.mockwebserver.crud.Attribute;
import io.fabric8.mockwebserver.crud.AttributeSet;
import io.fabric8.mockwebserver.dsl.HttpMethod;
import io.fabric8.mockwebserver.http.Buffer;
import io.fabric8.mockwebserver.http.Headers;
import io.fabric8.mockwebserver.http.MockResponse;
import io.fabric8.mockwebserver.http.RecordedRequest;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The objects, in Fabric8's mock: it stores them, assigns their uids and versions, and implements JSON patch, merge patch and the
 * conflicts of updates. Each of its changes is reported. Used under the API server's lock only.
 */
final class ObjectStore {
    private static final Finish AS_IT_IS = (before, after) -> {};

    private final Mock mock = new Mock();
    private final ClusterTime time;
    private final Consumer<Change> changes;

    ObjectStore(ClusterTime time, Consumer<Change> changes) {
        this.time = time;
        this.changes = changes;
    }

    // ---- reading

    Optional<ObjectNode> find(ResourcePath path) {
        return Optional.ofNullable(mock.findResource(mock.getKey(path.whole().toString())))
                .map(entry -> JsonObjects.parse(entry.getValue()));
    }

    /** Returns all objects of a collection, by namespace and name. */
    List<ObjectNode> list(ResourcePath collection) {
        AttributeSet query = mock.getKey(collection.collection().toString());
        return mock.getMap().entrySet().stream()
                .filter(entry -> entry.getKey().matches(query))
                .map(entry -> JsonObjects.parse(entry.getValue()))
                .sorted(Comparator.comparing((ObjectNode object) -> JsonObjects.text(object, "metadata.namespace"))
                        .thenComparing(object -> JsonObjects.text(object, "metadata.name")))
                .toList();
    }

    /** Returns the addresses of all objects of all kinds. */
    List<ResourcePath> paths() {
        return mock.getMap().keySet().stream().map(ObjectStore::path).toList();
    }

    /** The version of the last change. */
    long version() {
        return mock.last;
    }

    /** Uses up a version without a change. */
    long nextVersion() {
        return mock.requestResourceVersion();
    }

    // ---- writing

    /** The last step of a change, with the object before it. It may refuse the change. */
    interface Finish {
        void apply(Optional<ObjectNode> before, ObjectNode after);
    }

    /** Lets the mock make, update or patch an object. If it refuses, the body of the answer has the reason, or is empty. */
    ApiResponse handle(ApiRequest request, Finish finish) {
        mock.finish = finish;
        try {
            MockResponse response = switch (request.verb()) {
                case CREATE -> mock.handleCreate(recorded(HttpMethod.POST, request));
                case UPDATE -> mock.handleUpdate(recorded(HttpMethod.PUT, request));
                default -> mock.handlePatch(recorded(HttpMethod.PATCH, request));
            };
            String body = response.getBody() == null ? "" : response.getBody().readUtf8();
            return new ApiResponse(response.code(), Map.of(), body);
        } finally {
            mock.finish = AS_IT_IS;
        }
    }

    /** Stores an object unchanged, with a new version. */
    void write(ResourcePath path, ObjectNode object) {
        JsonObjects.metadata(object).put("resourceVersion", String.valueOf(mock.requestResourceVersion()));
        mock.replace(path.whole().toString(), object.toString());
    }

    void remove(ResourcePath path) {
        mock.replace(path.whole().toString(), null);
    }

    private static RecordedRequest recorded(HttpMethod method, ApiRequest request) {
        Headers headers =
                Headers.builder().add("Content-Type", request.contentType()).build();
        Buffer body = new Buffer(request.body().getBytes(StandardCharsets.UTF_8));
        return new RecordedRequest("HTTP/1.1", method, request.path().toString(), headers, body);
    }

    private static ResourcePath path(AttributeSet key) {
        return new ResourcePath(
                value(key, "api"),
                value(key, "version"),
                value(key, "namespace"),
                value(key, "plural"),
                value(key, "name"),
                "");
    }

    private static String value(AttributeSet key, String name) {
        Attribute attribute = key.getAttribute(name);
        return attribute == null ? "" : attribute.getValues().getFirst().toString();
    }

    private void changed(String path, Optional<ObjectNode> before, Optional<ObjectNode> after) {
        if (before.equals(after)) {
            return;
        }
        ObjectNode object = after.or(() -> before).orElseThrow();
        if (after.isEmpty()) {
            JsonObjects.metadata(object).put("resourceVersion", String.valueOf(mock.requestResourceVersion()));
        }
        ResourcePath where = ResourcePath.parse(path)
                .orElseThrow()
                .in(JsonObjects.text(object, "metadata.namespace"))
                .named(JsonObjects.text(object, "metadata.name"));
        long version = Long.parseLong(JsonObjects.text(object, "metadata.resourceVersion"));
        changes.accept(new Change(type(before, after), version, where, object, before));
    }

    private static Change.Type type(Optional<ObjectNode> before, Optional<ObjectNode> after) {
        if (before.isEmpty()) {
            return Change.Type.ADDED;
        }
        return after.isEmpty() ? Change.Type.DELETED : Change.Type.MODIFIED;
    }

    private final class Mock extends KubernetesCrudDispatcher {
        private long last;
        private Finish finish = AS_IT_IS;

        @Override
        public long requestResourceVersion() {
            last = super.requestResourceVersion();
            return last;
        }

        /** Returns true if the status is written separately, as in the real server for nearly all kinds. */
        @Override
        public boolean isStatusSubresourceEnabledForResource(String path) {
            return true;
        }

        @Override
        public void processEvent(
                String path,
                AttributeSet attributes,
                AttributeSet oldAttributes,
                GenericKubernetesResource resource,
                String newState) {
            Optional<ObjectNode> before =
                    Optional.ofNullable(oldAttributes).map(map::get).map(JsonObjects::parse);
            Optional<ObjectNode> after = Optional.ofNullable(newState).map(JsonObjects::parse);
            after.ifPresent(object -> complete(before, object));
            super.processEvent(
                    path,
                    attributes,
                    oldAttributes,
                    null,
                    after.map(ObjectNode::toString).orElse(null));
            changed(path, before, after);
        }

        /** Sets the creation time by the cluster's clock instead of the mock's, in whole seconds like the real server. */
        private void complete(Optional<ObjectNode> before, ObjectNode object) {
            if (before.isEmpty()) {
                JsonObjects.metadata(object).put("creationTimestamp", time.stamp());
            }
            finish.apply(before, object);
        }

        private void replace(String path, String state) {
            AttributeSet key = getKey(path);
            Map.Entry<AttributeSet, String> present = findResource(key);
            processEvent(path, key, present == null ? null : present.getKey(), null, state);
        }
    }
}
