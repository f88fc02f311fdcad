package dev.outpost.simulated.kubernetes.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** One open watch: turns what happens into the events that its client shall see. Called under the API server's lock. */
final class Watcher implements Consumer<Change> {
    /** Where events go. Must not wait. */
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

    /** Objects that come under the selector are new to the client, and those that leave it are gone. */
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

    /** An object that was there when the watch began. */
    void present(ObjectNode object) {
        if (selected.test(object)) {
            send(Change.Type.ADDED, object);
        }
    }

    private void send(Change.Type type, ObjectNode object) {
        event(type.name(), object);
    }

    /** The watch fails, in the middle of it. */
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
