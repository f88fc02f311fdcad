package dev.outpost.provider.k8s.reason;

import dev.outpost.provider.k8s.reason.symptom.AdmissionSymptom;
import dev.outpost.provider.k8s.reason.symptom.Finding;
import dev.outpost.provider.k8s.reason.text.QuotaAmounts;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Interprets the texts of refusals. Answers of the API server and events of the Job controller have the same texts. */
final class RefusalMessages {
    /** A pattern of texts, and its meaning. */
    private record Form(Pattern pattern, Function<Matcher, Finding> meaning) {
        Optional<Finding> match(String message) {
            Matcher matcher = pattern.matcher(message);
            return matcher.find() ? Optional.of(meaning.apply(matcher)) : Optional.empty();
        }
    }

    private static final List<Form> FORMS = List.of(
            form(
                    "violates PodSecurity \"([^\"]+)\": (.*)",
                    found -> AdmissionSymptom.POD_SECURITY.found(
                            "the namespace's Pod Security level " + found.group(1) + " forbids it: " + found.group(2))),
            form(
                    "exceeded quota: ([^,]+), requested: (.+), used: (.+), limited: (.+)",
                    found -> exceeded(found.group(1), found.group(2), found.group(3), found.group(4))),
            form(
                    "failed quota: ([^:]+): must specify (.*)",
                    found -> AdmissionSymptom.QUOTA_WANTS_LIMITS.found("the quota " + found.group(1)
                            + " of the namespace wants every container to state " + found.group(2))),
            form(
                    "admission webhook \"([^\"]+)\" denied the request(?:: (.*)| without explanation)",
                    found -> AdmissionSymptom.WEBHOOK_DENIED.found(
                            "the admission webhook " + found.group(1) + " denies it" + reason(found.group(2)))),
            form(
                    "ValidatingAdmissionPolicy '([^']+)' with binding '[^']+' denied request: (.*)",
                    found -> AdmissionSymptom.WEBHOOK_DENIED.found(
                            "the admission policy " + found.group(1) + " denies it" + reason(found.group(2)))),
            form(
                    "failed calling webhook \"([^\"]+)\": (.*)",
                    found -> AdmissionSymptom.WEBHOOK_DOWN.found(
                            "the admission webhook " + found.group(1) + " does not answer" + reason(found.group(2)))),
            form(
                    "error looking up service account ([^:]+): (?:serviceaccount \"[^\"]+\" not found|.*)",
                    found -> AdmissionSymptom.SERVICE_ACCOUNT_MISSING.found(
                            "no such service account: " + found.group(1))),
            form(
                    "RuntimeClass \"([^\"]+)\" not found",
                    found -> AdmissionSymptom.RUNTIME_CLASS_MISSING.found("no such runtime class: " + found.group(1))),
            form(
                    "no PriorityClass with name (\\S+) was found",
                    found ->
                            AdmissionSymptom.PRIORITY_CLASS_MISSING.found("no such priority class: " + found.group(1))),
            form(
                    "((?:maximum|minimum) \\S+ usage per .*?)\\]?$",
                    found -> AdmissionSymptom.LIMIT_RANGE.found(
                            "the namespace's LimitRange forbids it: " + found.group(1))),
            form(
                    "in namespace (\\S+) because it is being terminated",
                    found -> AdmissionSymptom.NAMESPACE_ENDING.found(
                            "the namespace " + found.group(1) + " is being deleted")),
            form(
                    "^(\\S+) \"[^\"]*\" is invalid: (.*)",
                    found -> AdmissionSymptom.OBJECT_INVALID.found(
                            "the API server calls the " + kind(found.group(1)) + " invalid: " + found.group(2))));

    private RefusalMessages() {}

    /** Returns the finding of a message; empty if no pattern matches. */
    static Optional<Finding> of(String message) {
        String line = oneLine(message);
        return FORMS.stream().flatMap(form -> form.match(line).stream()).findFirst();
    }

    private static Form form(String pattern, Function<Matcher, Finding> meaning) {
        return new Form(Pattern.compile(pattern), meaning);
    }

    static String oneLine(String message) {
        return message.strip().replaceAll("\\s*\\R\\s*", " ");
    }

    /** Returns the finding of an exceeded quota. A request above the quota's whole amount will not fit even if others release theirs. */
    private static Finding exceeded(String quota, String requested, String used, String limited) {
        return QuotaAmounts.parse(limited).canHold(QuotaAmounts.parse(requested))
                ? AdmissionSymptom.QUOTA_USED_UP.found("the quota " + quota + " of the namespace is used up: asked for "
                        + requested + ", used " + used + ", allowed " + limited)
                : AdmissionSymptom.QUOTA_TOO_SMALL.found("the quota " + quota
                        + " of the namespace can never hold the machine: asked for " + requested + ", allowed "
                        + limited);
    }

    private static String reason(String given) {
        return given == null || given.isBlank() ? "" : ": " + given;
    }

    /** Returns {@code Job} for {@code Job.batch}. */
    private static String kind(String qualified) {
        return qualified.replaceFirst("\\..*", "");
    }
}
