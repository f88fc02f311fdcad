package dev.outpost.provider.k8s.reason.facts;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventSeries;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.MicroTime;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectReference;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The events of one object, oldest first. */
public final class EventLog {
    private final List<Event> events;

    private EventLog(List<Event> events) {
        this.events = events;
    }

    public static EventLog ofPod(ObservedMachine observed) {
        return of(observed, observed.pod());
    }

    public static EventLog ofJob(ObservedMachine observed) {
        return of(observed, observed.job());
    }

    private static EventLog of(ObservedMachine observed, Optional<? extends HasMetadata> object) {
        return new EventLog(object.stream()
                .flatMap(about -> observed.diagnostics().events().stream().filter(event -> concerns(event, about)))
                .sorted(Comparator.comparing(EventLog::time))
                .toList());
    }

    /** Returns true if the event is about this object. An earlier object of the same name has another uid. */
    private static boolean concerns(Event event, HasMetadata object) {
        ObjectReference about = event.getInvolvedObject();
        return about != null
                && object.getKind().equals(about.getKind())
                && object.getMetadata().getName().equals(about.getName())
                && (about.getUid() == null
                        || about.getUid().equals(object.getMetadata().getUid()));
    }

    public Optional<Event> latest(String... reasons) {
        Set<String> wanted = Set.of(reasons);
        return latest(event -> wanted.contains(event.getReason()));
    }

    public Optional<Event> latest(Predicate<Event> predicate) {
        return events.stream().filter(predicate).reduce((earlier, later) -> later);
    }

    /** Returns the number of matching events. The cluster combines equal events into one event with a count. */
    public int count(Predicate<Event> predicate) {
        return events.stream().filter(predicate).mapToInt(EventLog::count).sum();
    }

    public static String message(Event event) {
        return event.getMessage() == null ? "" : event.getMessage().strip();
    }

    /** Returns the author of an event, such as {@code kubelet}. */
    public static String reporter(Event event) {
        String component = event.getReportingComponent();
        if (component != null && !component.isEmpty()) {
            return component;
        }
        return event.getSource() == null || event.getSource().getComponent() == null
                ? ""
                : event.getSource().getComponent();
    }

    /** Returns the time of the latest occurrence; the earliest possible time for an event without one. */
    public static Instant time(Event event) {
        return times(event)
                .flatMap(text -> instant(text).stream())
                .max(Comparator.naturalOrder())
                .orElse(Instant.EPOCH);
    }

    /** Returns all times of an event, because different reporters set different fields. */
    private static Stream<String> times(Event event) {
        return Stream.of(
                        Optional.ofNullable(event.getSeries())
                                .map(EventSeries::getLastObservedTime)
                                .map(MicroTime::getTime),
                        Optional.ofNullable(event.getLastTimestamp()),
                        Optional.ofNullable(event.getEventTime()).map(MicroTime::getTime),
                        Optional.ofNullable(event.getFirstTimestamp()),
                        Optional.ofNullable(event.getMetadata()).map(ObjectMeta::getCreationTimestamp))
                .flatMap(Optional::stream);
    }

    private static Optional<Instant> instant(String text) {
        try {
            return Optional.of(OffsetDateTime.parse(text).toInstant());
        } catch (DateTimeException ignored) {
            return Optional.empty();
        }
    }

    private static int count(Event event) {
        if (event.getSeries() != null && event.getSeries().getCount() != null) {
            return event.getSeries().getCount();
        }
        return event.getCount() == null ? 1 : Math.max(1, event.getCount());
    }
}
