package dev.outpost.provider.k8s.check;

import io.fabric8.kubernetes.api.model.ContainerImage;
import io.fabric8.kubernetes.api.model.Node;
import java.util.List;
import java.util.Optional;

/** Checks if nodes can pull the image, as far as the API server shows this. */
final class ImageCheck {
    private static final String NAME = "image";

    private final List<PullSecret> secrets;
    private final Optional<Nodes> nodes;

    /**
     * @param secrets the pull secrets with credentials
     * @param nodes the nodes; empty if they may not be listed
     */
    ImageCheck(List<PullSecret> secrets, Optional<Nodes> nodes) {
        this.secrets = secrets;
        this.nodes = nodes;
    }

    ClusterFinding run(String image) {
        return ImageName.parse(image)
                .map(name -> known(image, name))
                .orElseGet(() -> ClusterFinding.problem(
                        NAME,
                        "not an image name: " + image,
                        "Correct outpost.k8s.image: it reads like"
                                + " registry.example.com/team/runtime:1.0, in lower case."));
    }

    private ClusterFinding known(String image, ImageName name) {
        long having = nodes.map(there ->
                        there.all().stream().filter(node -> has(node, name)).count())
                .orElse(0L);
        if (having > 0) {
            return ClusterFinding.ok(
                    NAME,
                    image + " is on " + having + " of " + nodes.get().all().size() + " nodes");
        }
        boolean covered = secrets.stream().anyMatch(secret -> secret.isFor(name.registry()));
        return covered || secrets.isEmpty() ? untold(image, name, covered) : uncovered(image, name);
    }

    private static ClusterFinding uncovered(String image, ImageName name) {
        return ClusterFinding.warning(
                NAME,
                image + ": no pull secret has credentials for " + name.registry(),
                "Add them to a Secret of outpost.k8s.image-pull-secrets, unless the registry asks for none.");
    }

    private static ClusterFinding untold(String image, ImageName name, boolean covered) {
        String credentials = covered ? "there are credentials for " + name.registry() : "no credentials are set for it";
        return ClusterFinding.unknown(
                NAME,
                image + " is a valid name, " + credentials + "; only a node finds out whether it can be pulled",
                "");
    }

    /** Returns true if the node lists the image. A node lists only some of its images, so the image may exist even if this is false. */
    private static boolean has(Node node, ImageName name) {
        return node.getStatus().getImages().stream()
                .map(ContainerImage::getNames)
                .flatMap(List::stream)
                .anyMatch(name::isCalled);
    }
}
