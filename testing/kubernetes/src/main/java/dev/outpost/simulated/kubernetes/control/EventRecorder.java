package dev.outpost.simulated.kubernetes.control;

import dev.outpost.simulated.kubernetes.api.ClusterObjects;
import dev.outpost.simulated.kubernetes.api.ClusterTime;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** Records events about a part of the cluster's work on an object. */
public final class EventRecorder {
    private final ClusterObjects objects;
    private final ClusterTime time;
    private final String component;
    private final AtomicLong drawn = new AtomicLong();

    /** @param component the source of the events, such as {@code kubelet} */
    public EventRecorder(ClusterObjects objects, ClusterTime time, String component) {
        this.objects = objects;
        this.time = time;
        this.component = component;
    }

    public void normal(HasMetadata about, String reason, String message) {
        record(about, "Normal", reason, message);
    }

    public void warning(HasMetadata about, String reason, String message) {
        record(about, "Warning", reason, message);
    }

    /** Counts a repeated event. */
    private void record(HasMetadata about, String type, String reason, String message) {
        Optional<Event> said = objects.list(Event.class).stream()
                .filter(event -> event.getInvolvedObject()
                        .getUid()
                        .equals(about.getMetadata().getUid()))
                .filter(event ->
                        event.getReason().equals(reason) && event.getMessage().equals(message))
                .findFirst();
        said.ifPresentOrElse(this::repeat, () -> objects.create(event(about, type, reason, message), Event.class));
    }

    private void repeat(Event event) {
        objects.edit(
                Event.class,
                event.getMetadata().getNamespace(),
                event.getMetadata().getName(),
                component,
                present -> new EventBuilder(present)
                        .withCount(present.getCount() + 1)
                        .withLastTimestamp(time.stamp())
                        .build());
    }

    private Event event(HasMetadata about, String type, String reason, String message) {
        String name = about.getMetadata().getName() + "." + component + "-" + drawn.incrementAndGet();
        return new EventBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(about.getMetadata().getNamespace())
                .endMetadata()
                .withNewInvolvedObject()
                .withApiVersion(about.getApiVersion())
                .withKind(about.getKind())
                .withNamespace(about.getMetadata().getNamespace())
                .withName(about.getMetadata().getName())
                .withUid(about.getMetadata().getUid())
                .endInvolvedObject()
                .withType(type)
                .withReason(reason)
                .withMessage(message)
                .withNewSource()
                .withComponent(component)
                .endSource()
                .withFirstTimestamp(time.stamp())
                .withLastTimestamp(time.stamp())
                .withCount(1)
                .build();
    }
}
