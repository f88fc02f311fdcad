package dev.outpost.cli.backend.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outpost.cli.support.TextTable;
import dev.outpost.rest.client.BackendClient;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * A verb of a kind's command. The options of each verb are the fields of the kind, so that a new kind needs no new
 * command.
 */
final class ResourceCommand implements Runnable {
    private static final String LIST = "list";
    private static final String SHOW = "show";
    private static final String CREATE = "create";
    private static final String SET = "set";
    private static final String DELETE = "delete";
    private static final String FORMAT = "--output";
    private static final String JSON = "--json";

    private final ResourceKind kind;
    private final String verb;
    private final CommandSpec spec = CommandSpec.wrapWithoutInspection(this);

    private ResourceCommand(ResourceKind kind, String verb, String description) {
        this.kind = kind;
        this.verb = verb;
        spec.usageMessage().description(description.replace("%", "%%"));
        if (!kind.refusals.containsKey(verb)) {
            addArguments();
        } else {
            spec.addPositional(PositionalParamSpec.builder()
                    .arity("0..*")
                    .type(List.class)
                    .hidden(true)
                    .build());
        }
    }

    /** Returns the command of a kind with its verbs. */
    static CommandLine of(ResourceKind kind) {
        CommandSpec all = new ResourceCommand(kind, LIST, kind.description).spec;
        Map<String, String> verbs = new LinkedHashMap<>();
        verbs.put(LIST, "List them.");
        verbs.put(SHOW, "Show all of one.");
        verbs.put(CREATE, "Make one.");
        verbs.put(SET, kind.setMakes ? "Change one, or make it." : "Change what the options name, and keep the rest.");
        verbs.put(DELETE, "Remove one.");
        verbs.forEach((verb, description) -> {
            if (!kind.subcommands.containsKey(verb)) {
                String reason = kind.refusals.get(verb);
                CommandSpec one = new ResourceCommand(
                                kind, verb, reason == null ? description : "Not possible: " + reason + ".")
                        .spec;
                if (verb.equals(DELETE)) {
                    one.aliases("remove");
                }
                all.addSubcommand(verb, one);
            }
        });
        kind.subcommands.forEach((verb, made) -> all.addSubcommand(verb, new CommandLine(made.get())));
        return new CommandLine(all);
    }

    private void addArguments() {
        boolean isOfOne = !verb.equals(LIST);
        if (isOfOne) {
            Field name = kind.identity.getFirst();
            spec.addPositional(PositionalParamSpec.builder()
                    .paramLabel("NAME")
                    .type(String.class)
                    .arity("1")
                    .description(escaped(name.description()))
                    .build());
        }
        Stream<Field> identity = kind.identity.stream().skip(1);
        boolean writes = verb.equals(CREATE) || verb.equals(SET);
        Stream<Field> options = writes
                ? Stream.concat(
                        identity.filter(
                                field -> !(verb.equals(CREATE) && field.name().equals("id"))),
                        kind.fields.stream())
                : isOfOne
                        ? identity
                        : Stream.concat(kind.identity.stream().skip(1), kind.fields.stream())
                                .filter(field ->
                                        List.of("project", "organisation").contains(field.name()));
        options.forEach(field -> spec.addOption(option(field)));
        if (!verb.equals(DELETE)) {
            spec.addOption(OptionSpec.builder(JSON)
                    .arity("0")
                    .type(boolean.class)
                    .description("Print JSON.")
                    .build());
        }
        if (verb.equals(LIST) || verb.equals(SHOW)) {
            spec.addOption(OptionSpec.builder("-o", FORMAT)
                    .paramLabel("FORMAT")
                    .type(String.class)
                    .description("table, json, or yaml for ./outpost apply; table unless given.")
                    .build());
        }
    }

    private static OptionSpec option(Field field) {
        OptionSpec.Builder option =
                OptionSpec.builder(field.option()).paramLabel(field.label()).description(escaped(field.description()));
        if (field.label().contains("|") && !field.isFlag()) {
            option.completionCandidates(List.of(field.label().split("\\|")));
        }
        if (field.isFlag()) {
            option.arity("0..1").fallbackValue("true");
        }
        boolean isRepeatable = field.isList() || field.isMap();
        return isRepeatable
                ? option.type(List.class)
                        .auxiliaryTypes(String.class)
                        .arity("1")
                        .build()
                : option.type(String.class).build();
    }

    private static String escaped(String text) {
        return text.replace("%", "%%");
    }

    @Override
    public void run() {
        kind.refuse(verb);
        format();
        if (verb.equals(LIST)) {
            list(BackendClient.configured());
            return;
        }
        // A wrong argument is refused before the backend is asked.
        Resource wanted = wanted();
        BackendClient client = BackendClient.configured();
        switch (verb) {
            case SHOW -> show(required(client, wanted));
            case CREATE -> create(client, wanted);
            case SET -> set(client, wanted);
            default -> delete(client, wanted);
        }
    }

    // ---- the verbs

    private void list(BackendClient client) {
        Map<String, String> scope = kind.scope(options(kind.identity));
        String project = options(kind.fields).getOrDefault("project", scope.get("project"));
        if (format().equals("yaml")) {
            List<Resource> all = kind.present(client, scope).stream()
                    .filter(one -> isOf(project, one.view()))
                    .map(one -> kind.detail(client, one))
                    .toList();
            out().print(ResourceYaml.write(all));
            return;
        }
        List<JsonNode> views = kind.views(client, scope).stream()
                .filter(view -> isOf(project, view))
                .toList();
        if (format().equals("json")) {
            out().println(ResourceKind.MAPPER.valueToTree(views).toPrettyString());
            return;
        }
        TextTable table = new TextTable(
                kind.columns.stream().map(ResourceCommand::heading).toArray(String[]::new));
        views.forEach(view -> table.row(kind.columns.stream()
                .map(column -> Field.shown(view.path(column)))
                .toArray()));
        table.lines().forEach(out()::println);
    }

    private static boolean isOf(String project, JsonNode view) {
        return project == null || project.equals(view.path("project").asText());
    }

    private static String heading(String column) {
        return column.replaceAll("([A-Z])", " $1").toUpperCase(Locale.ROOT);
    }

    private void show(Resource one) {
        switch (format()) {
            case "yaml" -> out().print(ResourceYaml.write(List.of(one)));
            case "json" -> out().println(one.view().toPrettyString());
            default -> print(one.view());
        }
    }

    private void print(JsonNode view) {
        TextTable table = new TextTable("FIELD", "VALUE");
        view.properties().stream()
                .filter(one -> !one.getValue().isNull() && !isTable(one.getValue()))
                .forEach(one -> table.row(one.getKey(), Field.shown(one.getValue())));
        table.lines().forEach(out()::println);
        view.properties().stream().filter(one -> isTable(one.getValue())).forEach(one -> {
            println("");
            println(heading(one.getKey()));
            printParts(one.getValue());
        });
    }

    /** True for a list of parts with fields, such as the replicas of a deployment. */
    private static boolean isTable(JsonNode value) {
        return value.isArray() && !value.isEmpty() && value.get(0).isObject();
    }

    private void printParts(JsonNode parts) {
        Set<String> columns = new LinkedHashSet<>();
        parts.forEach(part -> part.properties().stream()
                .filter(one -> !isTable(one.getValue()))
                .forEach(one -> columns.add(one.getKey())));
        TextTable table =
                new TextTable(columns.stream().map(ResourceCommand::heading).toArray(String[]::new));
        parts.forEach(part -> table.row(
                columns.stream().map(column -> Field.shown(part.path(column))).toArray()));
        table.lines().forEach(out()::println);
    }

    private void create(BackendClient client, Resource wanted) {
        if (!kind.setMakes && find(client, wanted).isPresent()) {
            throw new IllegalArgumentException(
                    wanted.title() + ": it is there already; change it by ./outpost " + kind.command + " set");
        }
        report("created", kind.put(client, wanted, Optional.empty()), wanted);
    }

    private void set(BackendClient client, Resource wanted) {
        boolean isAsked = kind.fields.stream().allMatch(Field::isLocal);
        if (wanted.spec().isEmpty() && !isAsked) {
            throw new IllegalArgumentException(wanted.title() + ": nothing is to be set; name a field, such as "
                    + kind.fields.getFirst().option());
        }
        Optional<Resource> present = kind.setMakes ? find(client, wanted) : Optional.of(required(client, wanted));
        report(present.isPresent() ? "changed" : "created", kind.put(client, wanted, present), wanted);
    }

    private void report(String done, JsonNode answer, Resource wanted) {
        if (format().equals("json")) {
            out().println(answer.toPrettyString());
        } else {
            println(done + " " + wanted.title());
            ShownSecrets.lines(answer).forEach(this::println);
        }
    }

    private void delete(BackendClient client, Resource wanted) {
        Resource there = required(client, wanted);
        kind.remove(client, there);
        println("deleted " + there.title());
    }

    // ---- arguments

    private Resource wanted() {
        ObjectNode fields = ResourceKind.MAPPER.createObjectNode();
        kind.fields.forEach(field -> texts(field).ifPresent(all -> fields.set(field.name(), parsed(field, all))));
        Map<String, String> metadata = new LinkedHashMap<>();
        Field name = kind.identity.getFirst();
        metadata.put("name", parsed(name, List.of(this.<String>positional())).asText());
        metadata.putAll(options(kind.identity));
        return kind.prepare(Resource.wanted(kind, metadata, fields, ""));
    }

    private String positional() {
        return spec.positionalParameters().getFirst().getValue();
    }

    private Map<String, String> options(List<Field> all) {
        Map<String, String> values = new LinkedHashMap<>();
        all.forEach(field -> texts(field)
                .ifPresent(
                        texts -> values.put(field.name(), parsed(field, texts).asText())));
        return values;
    }

    private Optional<List<String>> texts(Field field) {
        OptionSpec option = spec.findOption(field.option());
        Object value = option == null ? null : option.getValue();
        return switch (value) {
            case null -> Optional.empty();
            case List<?> all when all.isEmpty() -> Optional.empty();
            case List<?> all -> Optional.of(all.stream().map(String::valueOf).toList());
            default -> Optional.of(List.of(value.toString()));
        };
    }

    private JsonNode parsed(Field field, List<String> texts) {
        try {
            return field.parse(texts);
        } catch (IllegalArgumentException failure) {
            String what = field.name().equals("name") ? "NAME" : field.option();
            throw new CommandLine.ParameterException(spec.commandLine(), what + ": " + failure.getMessage(), failure);
        }
    }

    private Optional<Resource> find(BackendClient client, Resource wanted) {
        return kind.find(client, kind.present(client, kind.scope(wanted.metadata())), wanted);
    }

    private Resource required(BackendClient client, Resource wanted) {
        return find(client, wanted)
                .orElseThrow(() -> new IllegalArgumentException(
                        wanted.title() + ": there is none; see ./outpost " + kind.command + " list"));
    }

    private String format() {
        OptionSpec json = spec.findOption(JSON);
        if (json != null && Boolean.TRUE.equals(json.getValue())) {
            return "json";
        }
        OptionSpec option = spec.findOption(FORMAT);
        String format = option == null ? null : option.getValue();
        if (format != null && !List.of("table", "json", "yaml").contains(format)) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(), FORMAT + ": expected table, json or yaml, got \"" + format + "\"");
        }
        return format == null ? "table" : format;
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }

    private void println(String line) {
        out().println(line);
    }
}
