package dev.outpost.provider.k8s.check;

import dev.outpost.provider.k8s.check.ClusterFinding.State;
import dev.outpost.provider.k8s.devices.AllocationChoice;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Checks if a cluster can provide machines. It checks the cluster's answer, this client's permissions, and the cluster's resources, and
 * changes nothing. The client decides how long to wait for an answer.
 */
public final class ClusterCheck {
    private final KubernetesClient client;
    private final ClusterQuestions questions;

    public ClusterCheck(KubernetesClient client, ClusterQuestions questions) {
        this.client = client;
        this.questions = questions;
    }

    /** Returns the findings, in the order in which a start would encounter the problems. */
    public List<ClusterFinding> run() {
        List<ClusterFinding> findings = new ArrayList<>();
        ClusterFinding server = new ServerCheck(client).run();
        findings.add(server);
        if (server.state() != State.PROBLEM) {
            findings.add(new NamespaceCheck(client, questions.namespace()).run());
            DeviceCheck devices = new DeviceCheck(client, questions);
            ApiQueryResult<AllocationChoice> choice = devices.choice();
            boolean claims = choice.answer().filter(AllocationChoice::isClaim).isPresent();
            findings.addAll(new PermissionCheck(client, questions, claims).run());
            findings.addAll(devices.run(choice));
            findings.addAll(supplies(claims));
        }
        return List.copyOf(findings);
    }

    private List<ClusterFinding> supplies(boolean claims) {
        List<ClusterFinding> findings = new ArrayList<>();
        Optional<Nodes> nodes = nodes();
        PullSecretCheck secrets = new PullSecretCheck(client, questions.namespace());
        questions.pullSecrets().forEach(secrets::run);
        findings.addAll(secrets.findings());
        ImageCheck images = new ImageCheck(secrets.found(), nodes);
        questions.images().forEach(image -> findings.add(images.run(image)));
        if (!questions.gpus().isEmpty() && !claims) {
            nodes.ifPresent(there -> findings.addAll(new GpuCheck(there, questions.gpus()).run()));
        }
        return findings;
    }

    /** Lists the nodes. Empty if they may not be listed. The permission check reports that. */
    private Optional<Nodes> nodes() {
        return ApiQueryResult.to(() -> client.nodes().list().getItems())
                .answer()
                .map(nodes -> new Nodes(nodes, ApiQueryResult.to(this::living).answer()));
    }

    private List<Pod> living() {
        return client.pods()
                .inAnyNamespace()
                .withoutField("status.phase", "Succeeded")
                .withoutField("status.phase", "Failed")
                .list()
                .getItems();
    }
}
