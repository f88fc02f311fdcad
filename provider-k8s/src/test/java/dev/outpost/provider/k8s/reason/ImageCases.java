package dev.outpost.provider.k8s.reason;

import dev.outpost.provider.k8s.reason.symptom.ImageSymptom;
import dev.outpost.provider.k8s.reason.symptom.SymptomOutcome;
import java.util.List;

/** The image cannot be pulled. */
final class ImageCases {
    private ImageCases() {}

    static List<PodCase> all() {
        return List.of(
                PodCase.of(
                        "pulling",
                        ImageSymptom.PULLING,
                        "pulling the image ghcr.io/outpost-dev/runtime:0.1.0 for 42 s"),
                PodCase.of(
                                "image-not-found",
                                ImageSymptom.NOT_FOUND,
                                "image not found: ghcr.io/outpost-dev/runtime:0.1.0")
                        .followedBy(SymptomOutcome.FINAL),
                PodCase.of(
                                "image-not-found-crio",
                                ImageSymptom.NOT_FOUND,
                                "image not found: ghcr.io/outpost-dev/runtime:0.1.0")
                        .followedBy(SymptomOutcome.FINAL),
                PodCase.of(
                                "image-not-found-old-kubelet",
                                ImageSymptom.NOT_FOUND,
                                "image not found: ghcr.io/outpost-dev/runtime:0.1.0")
                        .followedBy(SymptomOutcome.FINAL),
                PodCase.of(
                                "image-not-found-once",
                                ImageSymptom.NOT_FOUND,
                                "image not found: ghcr.io/outpost-dev/runtime:0.1.0")
                        .followedBy(SymptomOutcome.WAITS),
                PodCase.of(
                                "image-unauthorized",
                                ImageSymptom.UNAUTHORIZED,
                                "not authorized to pull the image acme/runtime:1")
                        .followedBy(SymptomOutcome.FINAL),
                PodCase.of(
                                "image-unauthorized-once",
                                ImageSymptom.UNAUTHORIZED,
                                "not authorized to pull the image ghcr.io/outpost-dev/runtime:0.1.0")
                        .followedBy(SymptomOutcome.WAITS),
                PodCase.of(
                        "registry-unreachable",
                        ImageSymptom.UNREACHABLE,
                        "the node does not reach the registry of registry.lab/runtime:1: dial tcp: lookup "
                                + "registry.lab on 10.96.0.10:53: no such host"),
                PodCase.of(
                        "registry-not-trusted",
                        ImageSymptom.NOT_TRUSTED,
                        "the node does not trust the registry of registry.lab/runtime:1: tls: failed to "
                                + "verify certificate: x509: certificate signed by unknown authority"),
                PodCase.of(
                        "registry-limits",
                        ImageSymptom.RATE_LIMITED,
                        "the registry of acme/runtime:1 limits how often images are pulled"),
                PodCase.of(
                        "image-wrong-platform",
                        ImageSymptom.WRONG_PLATFORM,
                        "the image ghcr.io/outpost-dev/runtime:0.1.0 was not built for the node's platform"),
                PodCase.of(
                        "image-disk-full",
                        ImageSymptom.DISK_FULL,
                        "the node has no space left for the image ghcr.io/outpost-dev/runtime:0.1.0"),
                PodCase.of(
                        "image-never-pulled",
                        ImageSymptom.NEVER_PULLED,
                        "the image outpost/runtime:dev is not on the node and must not be pulled"),
                PodCase.of(
                        "image-name-invalid",
                        ImageSymptom.NAME_INVALID,
                        "not an image name: Ghcr.io/Outpost: invalid reference format: repository name "
                                + "(Outpost) must be lowercase"),
                PodCase.of(
                        "image-pull-failed",
                        ImageSymptom.PULL_FAILED,
                        "the image ghcr.io/outpost-dev/runtime:0.1.0 cannot be pulled: rpc error: code = "
                                + "Unknown desc = failed to pull and unpack image "
                                + "\"ghcr.io/outpost-dev/runtime:0.1.0\": unexpected media type text/html"));
    }
}
