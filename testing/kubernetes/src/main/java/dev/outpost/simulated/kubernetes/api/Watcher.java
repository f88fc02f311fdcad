package dev.outpost.simulated.kubernetes.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** One open watch: converts changes to the events for its client. Called under the API server's lock. */
final class Watcher implements Consumer<Change> {
    /** Receives the events. Must not wait. */
    interface Sink {
        void event(ObjectNode event);

        void end();
    }

    private final ResourcePath collection;
    private final Predicate<ObjectNode> selected;
    private final Sink sink;

    Watcher(ApiRequest request, Sink sink) {
        this.collection = request.path();
        this.selected = Selector.of(request).and(named(request.path()));
        this.sink = sink;
    }

    private static Predicate<ObjectNode> named(ResourcePath path) {
        return object -> path.name().isEmpty() || path.name().equals(JsonObjects.text(object, "metadata.name"));
    }

    /** Handles a change: an object that begins to match the selector is new to the client, and one that no longer matches is deleted. */
    @Override
    public void accept(Change change) {
        if (!isOurs(change.path())) {
            return;
        }
        boolean was = change.before().filter(selected).isPresent();
        boolean is = change.type() != Change.Type.DELETED && selected.test(change.object());
        if (is) {
            send(was ? Change.Type.MODIFIED : Change.Type.ADDED, change.object());
        } else if (was) {
            send(Change.Type.DELETED, change.object());
        }
    }

    private boolean isOurs(ResourcePath path) {
        return path.isOf(collection.group(), collection.resource())
                && (collection.namespace().isEmpty() || collection.namespace().equals(path.namespace()));
    }

    /** Reports an object that existed when the watch began. */
    void present(ObjectNode object) {
        if (selected.test(object)) {
            send(Change.Type.ADDED, object);
        }
    }

    private void send(Change.Type type, ObjectNode object) {
        event(type.name(), object);
    }

    /** Makes the open watch fail. */
    void fail(ApiStatusException reason) {
        event("ERROR", reason.status());
        end();
    }

    void end() {
        sink.end();
    }

    private void event(String type, ObjectNode object) {
        ObjectNode event = JsonObjects.object().put("type", type);
        event.set("object", object);
        sink.event(event);
    }
}
