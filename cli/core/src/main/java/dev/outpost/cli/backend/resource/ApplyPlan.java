package dev.outpost.cli.backend.resource;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.cli.support.CommandProgress;
import dev.outpost.rest.client.BackendClient;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * The changes that make a backend have the wanted resources. Each change is written with the version that the plan has
 * read, so that the changes of others are not overwritten.
 */
final class ApplyPlan {
    /** The kinds of changes. */
    private enum Action {
        CREATE('+', "created"),
        CHANGE('~', "changed"),
        DELETE('-', "deleted");

        final char sign;
        final String done;

        Action(char sign, String done) {
            this.sign = sign;
            this.done = done;
        }

        @Override
        public String toString() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    /**
     * A change of one resource.
     *
     * @param details the changed values, each as a line
     */
    private record Change(Action action, Resource wanted, Optional<Resource> present, List<String> details) {}

    private final BackendClient client;
    private final Map<List<Object>, List<Resource>> read = new HashMap<>();
    private final List<Change> changes = new ArrayList<>();
    private int unchanged;

    private ApplyPlan(BackendClient client) {
        this.client = client;
    }

    /** @param isPruned true if resources of the wanted kinds that are not wanted are deleted */
    static ApplyPlan of(BackendClient client, List<Resource> wanted, boolean isPruned) {
        ApplyPlan plan = new ApplyPlan(client);
        Map<ResourceKind, Set<Resource>> met = new LinkedHashMap<>();
        wanted.stream()
                .sorted(Comparator.comparingInt(one -> ResourceKinds.ALL.indexOf(one.kind())))
                .forEach(one -> plan.add(one, met.computeIfAbsent(one.kind(), kind -> new HashSet<>())));
        if (isPruned) {
            List<ResourceKind> kinds = new ArrayList<>(met.keySet());
            kinds.reversed().forEach(kind -> plan.prune(kind, met.get(kind)));
        }
        return plan;
    }

    private List<Resource> present(ResourceKind kind, Map<String, String> scope) {
        return read.computeIfAbsent(List.of(kind.name, scope), key -> kind.present(client, scope));
    }

    private void add(Resource wanted, Set<Resource> met) {
        ResourceKind kind = wanted.kind();
        try {
            Resource prepared = kind.prepare(wanted);
            Optional<Resource> present = kind.find(client, present(kind, kind.scope(wanted.metadata())), prepared);
            present.ifPresent(met::add);
            List<String> details = present.map(prepared::changes).orElseGet(prepared::values);
            if (present.isPresent() && details.isEmpty()) {
                unchanged++;
                return;
            }
            if (present.isEmpty()) {
                prepared.requireComplete();
            }
            kind.refuse(present.isPresent() ? "set" : "create");
            changes.add(new Change(present.isPresent() ? Action.CHANGE : Action.CREATE, prepared, present, details));
        } catch (IllegalArgumentException failure) {
            throw new IllegalArgumentException(wanted.origin() + failure.getMessage(), failure);
        }
    }

    private void prune(ResourceKind kind, Set<Resource> met) {
        Set<List<Object>> kept = new HashSet<>();
        met.forEach(one -> kept.add(List.of(one.metadata())));
        read.entrySet().stream()
                .filter(entry -> entry.getKey().getFirst().equals(kind.name))
                .flatMap(entry -> entry.getValue().stream())
                // Lists of several scopes may have the same resource, which is deleted once.
                .filter(one -> kept.add(List.of(one.metadata())) && kind.isPrunable(client, one))
                .forEach(one -> changes.add(new Change(Action.DELETE, one, Optional.of(one), List.of())));
    }

    boolean isEmpty() {
        return changes.isEmpty();
    }

    /** Prints the changes, and how many there are. */
    void print(Consumer<String> out) {
        for (Change change : changes) {
            out.accept(printable(change.action().sign + " " + change.action() + " "
                    + change.wanted().title()));
            change.details().forEach(line -> out.accept("    " + printable(line)));
        }
        out.accept(
                isEmpty()
                        ? "No changes: all " + unchanged + " are as the files say."
                        : "Plan: " + count(Action.CREATE) + " to create, " + count(Action.CHANGE) + " to change, "
                                + count(Action.DELETE) + " to delete, " + unchanged + " unchanged.");
    }

    /** Replaces the control characters of a value from the backend, which would change the terminal. */
    private static String printable(String text) {
        return text.replaceAll("[\\p{Cntrl}\\x{80}-\\x{9f}]", " ");
    }

    private long count(Action action) {
        return changes.stream().filter(change -> change.action() == action).count();
    }

    /**
     * Makes the changes, and prints each.
     *
     * @throws IllegalStateException if one is refused; those after it are not made
     */
    void apply(Consumer<String> out) {
        AtomicLong done = new AtomicLong();
        try (CommandProgress.Task task =
                CommandProgress.ofProcess().steps("applying", "changes", changes.size(), done::get)) {
            apply(out, done);
        }
    }

    private void apply(Consumer<String> out, AtomicLong done) {
        for (Change change : changes) {
            try {
                JsonNode answer = apply(change);
                done.incrementAndGet();
                out.accept(
                        printable(change.action().done + " " + change.wanted().title()));
                ShownSecrets.lines(answer).forEach(out);
            } catch (RuntimeException failure) {
                throw new IllegalStateException(
                        change.wanted().origin() + failure.getMessage() + " (" + changes.indexOf(change) + " of "
                                + changes.size() + " changes were made before it; apply again to make the rest)",
                        failure);
            }
        }
    }

    private JsonNode apply(Change change) {
        ResourceKind kind = change.wanted().kind();
        if (change.action() == Action.DELETE) {
            kind.remove(client, change.wanted());
            return ResourceKind.MAPPER.createObjectNode();
        }
        return kind.put(client, change.wanted(), change.present());
    }
}
