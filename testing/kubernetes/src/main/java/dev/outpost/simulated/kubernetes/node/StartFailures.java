package dev.outpost.simulated.kubernetes.node;

/** The statuses of a pod whose container cannot run. */
final class StartFailures {
    private StartFailures() {}

    static void show(PodFailure.AtStart failure, LocalPod pod) {
        switch (failure) {
            case PodFailure.ImagePull(String why) -> cannotPull(pod, why);
            case PodFailure.InvalidImage() -> cannotRead(pod);
            case PodFailure.ConfigError(String why) -> cannotConfigure(pod, why);
            case PodFailure.AdmissionError(String why) -> refuse(pod, why);
            case PodFailure.Hang(String reason, String why) -> hang(pod, reason, why);
        }
    }

    private static void cannotPull(LocalPod pod, String why) {
        String image = "\"" + pod.image() + "\"";
        String message = "failed to pull and unpack image " + image + ": " + why;
        pod.report("Pulling", "Pulling image " + image);
        pod.warn("Failed", "Failed to pull image " + image + ": " + message);
        pod.warn("Failed", "Error: ErrImagePull");
        pod.waiting("ErrImagePull", message);
        pod.report("BackOff", "Back-off pulling image " + image);
        pod.warn("Failed", "Error: ImagePullBackOff");
        pod.waiting("ImagePullBackOff", "Back-off pulling image " + image + ": ErrImagePull: " + message);
    }

    private static void cannotRead(LocalPod pod) {
        String message = "Failed to apply default image tag \"" + pod.image() + "\": couldn't parse image name \""
                + pod.image() + "\": invalid reference format";
        pod.warn("InspectFailed", message);
        pod.warn("Failed", "Error: InvalidImageName");
        pod.waiting("InvalidImageName", message);
    }

    private static void cannotConfigure(LocalPod pod, String why) {
        pod.warn("Failed", "Error: " + why);
        pod.waiting("CreateContainerConfigError", why);
    }

    private static void refuse(LocalPod pod, String why) {
        pod.warn("UnexpectedAdmissionError", why);
        pod.edit(present -> PodStatuses.failed(present, "UnexpectedAdmissionError", "Pod was rejected: " + why));
    }

    private static void hang(LocalPod pod, String reason, String why) {
        pod.waiting("ContainerCreating", null);
        pod.warn(reason, why);
    }
}
