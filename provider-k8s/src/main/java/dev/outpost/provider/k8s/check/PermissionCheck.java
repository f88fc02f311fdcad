package dev.outpost.provider.k8s.check;

import dev.outpost.provider.k8s.reason.ApiProblem;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReview;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReviewBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;

/** Checks the permissions of this client, with one request for each verb, all in parallel. */
final class PermissionCheck {
    private static final String NAME = "permissions";

    private final KubernetesClient client;
    private final ClusterQuestions questions;
    private final boolean claims;

    /** @param claims true if machines claim their GPUs as devices */
    PermissionCheck(KubernetesClient client, ClusterQuestions questions, boolean claims) {
        this.client = client;
        this.claims = claims;
        this.questions = questions;
    }

    List<ClusterFinding> run() {
        List<ClusterFinding> findings = new ArrayList<>();
        findings.add(needed());
        if (questions.queued()) {
            added(
                            "permissions for Kueue",
                            Permissions.FOR_KUEUE,
                            "a start cannot report why it waits in its queue",
                            "Apply deploy/overlays/kueue, whose Role has them.")
                    .ifPresent(findings::add);
        }
        if (!questions.gpus().isEmpty() && !claims) {
            forNodes().ifPresent(findings::add);
        }
        if (!questions.devices().deviceClasses().isEmpty()) {
            added(
                            "permissions for devices",
                            claims
                                    ? List.of(Permissions.FOR_DEVICE_CLASSES, Permissions.FOR_RESOURCE_SLICES)
                                    : List.of(Permissions.FOR_DEVICE_CLASSES),
                            claims
                                    ? "a start cannot say why it gets no device"
                                    : "a start cannot tell that devices can be claimed",
                            "deploy/components/device-reader grants them.")
                    .ifPresent(findings::add);
        }
        return findings;
    }

    private Optional<ClusterFinding> forNodes() {
        return added(
                "permissions for nodes",
                List.of(Permissions.FOR_NODES, Permissions.FOR_FREE_GPUS),
                "the list of GPUs, and the number of free ones, is incomplete",
                "Nothing else needs them; deploy/components/node-reader grants them.");
    }

    private ClusterFinding needed() {
        List<Permission> wanted = new ArrayList<>(Permissions.NEEDED);
        if (questions.portForwarding()) {
            wanted.addAll(Permissions.FOR_PORT_FORWARDING);
        }
        if (claims) {
            wanted.addAll(Permissions.FOR_CLAIMS);
        }
        return switch (ApiQueryResult.to(() -> missing(wanted))) {
            case ApiQueryResult.Kept<List<Permission>> kept -> refused(kept.problem());
            case ApiQueryResult.Told<List<Permission>> told
            when told.value().isEmpty() ->
                ClusterFinding.ok(
                        NAME, "all " + wanted.size() + " that machines need, in namespace " + questions.namespace());
            case ApiQueryResult.Told<List<Permission>> told ->
                ClusterFinding.problem(
                        NAME,
                        "this user may not " + named(told.value()) + " in namespace " + questions.namespace(),
                        "Have an administrator apply deploy/base and bind its Role to this user.");
        };
    }

    private static ClusterFinding refused(ApiProblem problem) {
        return ClusterFinding.unknown(NAME, "may not be asked: " + problem.what(), problem.remedy());
    }

    /** Checks optional permissions. Returns a finding only if some are missing. */
    private Optional<ClusterFinding> added(String name, List<Permission> wanted, String without, String remedy) {
        return ApiQueryResult.to(() -> missing(wanted))
                .answer()
                .filter(missing -> !missing.isEmpty())
                .map(missing ->
                        ClusterFinding.warning(name, "this user may not " + named(missing) + ": " + without, remedy));
    }

    private List<Permission> missing(List<Permission> wanted) {
        List<CompletableFuture<Boolean>> allowed =
                wanted.stream().map(this::asked).toList();
        List<Permission> missing = new ArrayList<>();
        for (int index = 0; index < wanted.size(); index++) {
            if (!join(allowed.get(index))) {
                missing.add(wanted.get(index));
            }
        }
        return missing;
    }

    /** Waits for an answer. Throws the cause of a failure, not the wrapping exception. */
    private static boolean join(CompletableFuture<Boolean> answer) {
        try {
            return answer.join();
        } catch (CompletionException failure) {
            throw failure.getCause() instanceof KubernetesClientException cause ? cause : failure;
        }
    }

    private CompletableFuture<Boolean> asked(Permission permission) {
        return CompletableFuture.supplyAsync(() -> reviewAccess(permission), Thread::startVirtualThread);
    }

    private boolean reviewAccess(Permission permission) {
        SelfSubjectAccessReview review =
                client.authorization().v1().selfSubjectAccessReview().create(review(permission));
        return review.getStatus() != null
                && Boolean.TRUE.equals(review.getStatus().getAllowed());
    }

    private SelfSubjectAccessReview review(Permission permission) {
        String[] parts = permission.resource().split("/", 2);
        return new SelfSubjectAccessReviewBuilder()
                .withNewSpec()
                .withNewResourceAttributes()
                .withNamespace(permission.namespaced() ? questions.namespace() : null)
                .withGroup(permission.group())
                .withResource(parts[0])
                .withSubresource(parts.length > 1 ? parts[1] : null)
                .withVerb(permission.verb())
                .endResourceAttributes()
                .endSpec()
                .build();
    }

    /** Returns a list such as {@code create and patch jobs.batch, watch pods}. */
    private static String named(List<Permission> permissions) {
        Map<String, List<String>> verbs = permissions.stream()
                .collect(Collectors.groupingBy(
                        Permission::scope,
                        LinkedHashMap::new,
                        Collectors.mapping(Permission::verb, Collectors.toList())));
        return verbs.entrySet().stream()
                .map(entry -> String.join("/", entry.getValue()) + " " + entry.getKey())
                .collect(Collectors.joining(", "));
    }
}
