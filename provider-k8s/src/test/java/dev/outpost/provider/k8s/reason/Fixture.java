package dev.outpost.provider.k8s.reason;

import dev.outpost.provider.k8s.devices.ClaimReport;
import dev.outpost.provider.k8s.devices.DeviceSupply;
import dev.outpost.provider.k8s.reason.facts.Diagnostics;
import dev.outpost.provider.k8s.reason.facts.ObservedMachine;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;

/**
 * A cluster's state as a file of {@code resources/pods}: the output of {@code kubectl get -o yaml} for a Job, its pod,
 * their events, the Workload, claims and ResourceSlices. A file without a Job uses that of {@code job.yaml}. A ConfigMap called
 * {@code observed} has further data: the end of the log, the number of workloads ahead in the queue, and the number of nodes without
 * the GPU.
 */
public final class Fixture {
    public static final Instant NOW = Instant.parse("2026-03-01T12:00:42Z");

    private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();

    private final List<Object> objects;

    private Fixture(List<Object> objects) {
        this.objects = objects;
    }

    static ObservedMachine read(String name) {
        List<Object> objects = new ArrayList<>(documents(name));
        if (objects.stream().noneMatch(Job.class::isInstance)) {
            objects.addAll(documents("job"));
        }
        return new Fixture(objects).observed();
    }

    private ObservedMachine observed() {
        Map<String, String> more =
                all(ConfigMap.class).isEmpty() ? Map.of() : one(ConfigMap.class).getData();
        Diagnostics diagnostics = new Diagnostics(
                all(Event.class),
                Optional.ofNullable(one(GenericKubernetesResource.class)),
                more.containsKey("ahead") ? OptionalInt.of(Integer.parseInt(more.get("ahead"))) : OptionalInt.empty(),
                Integer.parseInt(more.getOrDefault("lacking", "0")),
                claims(),
                more.getOrDefault("log", ""));
        return ObservedMachine.of(one(Job.class), one(Pod.class), NOW).with(diagnostics);
    }

    /** Returns diagnostics that have only events. */
    public static Diagnostics events(List<Event> events) {
        return new Diagnostics(events, Optional.empty(), OptionalInt.empty(), 0, Optional.empty(), "");
    }

    /** A file with claims and without ResourceSlices is of a user who may not list these. */
    private Optional<ClaimReport> claims() {
        List<ResourceClaim> claims = all(ResourceClaim.class);
        List<ResourceSlice> slices = all(ResourceSlice.class);
        Optional<DeviceSupply> supply =
                slices.isEmpty() ? Optional.empty() : Optional.of(DeviceSupply.of(slices, claims));
        List<ResourceClaim> own = claims.stream().filter(this::isOfPod).toList();
        return own.isEmpty() ? Optional.empty() : Optional.of(ClaimReport.of(own, supply));
    }

    private boolean isOfPod(ResourceClaim claim) {
        return claim.getMetadata().getOwnerReferences().stream()
                .anyMatch(owner ->
                        owner.getUid().equals(one(Pod.class).getMetadata().getUid()));
    }

    private <T> T one(Class<T> type) {
        return all(type).stream().findFirst().orElse(null);
    }

    private <T> List<T> all(Class<T> type) {
        return objects.stream().filter(type::isInstance).map(type::cast).toList();
    }

    private static List<Object> documents(String name) {
        return Arrays.stream(text(name).split("(?m)^---$"))
                .filter(Predicate.not(String::isBlank))
                .<Object>map(SERIALIZATION::unmarshal)
                .toList();
    }

    private static String text(String name) {
        try (InputStream in = Fixture.class.getResourceAsStream("/pods/" + name + ".yaml")) {
            if (in == null) {
                throw new IllegalArgumentException("no fixture pods/" + name + ".yaml");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
