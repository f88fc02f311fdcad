package dev.outpost.provider.k8s.reason;

import dev.outpost.provider.k8s.devices.ClaimReport;
import dev.outpost.provider.k8s.devices.DeviceSupply.Shortage;
import dev.outpost.provider.k8s.reason.facts.ObservedMachine;
import dev.outpost.provider.k8s.reason.symptom.Finding;
import dev.outpost.provider.k8s.reason.symptom.SchedulingSymptom;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds out why the claim of a pod has no device. */
final class ClaimReasons {
    private static final Pattern NO_CLASS = Pattern.compile("device class (\\S+) does not exist");

    private ClaimReasons() {}

    /** Returns the finding that Kubernetes could not create the claim. The scheduler does not consider the pod before the claim exists. */
    static Finding notCreated(String message) {
        return SchedulingSymptom.CLAIM_NOT_CREATED.found("the claim of the pod cannot be created: "
                + RefusalMessages.oneLine(message).replaceFirst("^PodResourceClaim \\S+: ", ""));
    }

    /** Returns a finding if the DeviceClass does not exist, because the scheduler then considers no node. */
    static Optional<Finding> noClass(String message) {
        Matcher matcher = NO_CLASS.matcher(message);
        return matcher.find()
                ? Optional.of(SchedulingSymptom.NO_DEVICE_CLASS.found("no such DeviceClass: " + matcher.group(1)))
                : Optional.empty();
    }

    /** Adds the reason to a finding, from the published devices, because the scheduler gives none. */
    static Finding explained(Finding finding, ObservedMachine observed) {
        return finding.symptom() == SchedulingSymptom.CLAIM_PENDING
                ? observed.diagnostics()
                        .claims()
                        .flatMap(ClaimReport::shortage)
                        .map(shortage -> explained(finding, shortage))
                        .orElse(finding)
                : finding;
    }

    private static Finding explained(Finding finding, Shortage shortage) {
        SchedulingSymptom symptom = switch (shortage.verdict()) {
            case TAKEN -> SchedulingSymptom.GPUS_TAKEN;
            case UNUSABLE -> SchedulingSymptom.DEVICES_UNUSABLE;
            case TAINTED -> SchedulingSymptom.DEVICES_TAINTED;
            case NONE_FITS -> SchedulingSymptom.NO_DEVICE_FITS;
            case NONE_PUBLISHED -> SchedulingSymptom.NO_DEVICES;
        };
        return symptom.found(finding.what() + "; " + shortage.text());
    }
}
