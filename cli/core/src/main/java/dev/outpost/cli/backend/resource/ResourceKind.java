package dev.outpost.cli.backend.resource;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outpost.rest.client.BackendClient;
import dev.outpost.rest.client.BackendException;
import dev.outpost.rest.client.BackendJson;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A kind of resources in a backend: its words, its fields, and the calls that list, write and remove such resources.
 * {@link ResourceKinds} has all of them.
 */
final class ResourceKind {
    /** Reads numbers exactly. */
    static final ObjectMapper MAPPER = BackendJson.mapper()
            .enable(com.fasterxml.jackson.databind.DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

    /** Makes requests. What is absent stays absent, because the backend treats an empty list or map as a new value. */
    private static final ObjectMapper REQUESTS = BackendJson.mapper();

    static {
        REQUESTS.configOverride(List.class).setSetterInfo(JsonSetter.Value.empty());
        REQUESTS.configOverride(Map.class).setSetterInfo(JsonSetter.Value.empty());
    }

    private static final int NOT_FOUND = 404;

    /** Lists the views of resources. */
    interface Lister {
        List<?> list(BackendClient client, Map<String, String> scope);
    }

    /** Makes or changes a resource, and returns its view. The client expects the version that was read. */
    interface Writer {
        Object put(BackendClient client, Resource wanted, Optional<Resource> present);
    }

    /** Removes a resource. */
    interface Remover {
        void remove(BackendClient client, Resource present);
    }

    final String name;
    final String command;
    final String description;
    final List<Field> identity = new ArrayList<>();
    final List<Field> fields = new ArrayList<>();
    final List<String> columns = new ArrayList<>();

    /** The fields of {@link #identity} that may be left out where the others suffice. */
    final List<String> loose = new ArrayList<>();

    /** The verbs that make no sense, each with the reason. */
    final Map<String, String> refusals = new LinkedHashMap<>();

    /** Further subcommands by name. One that is called as a verb replaces it. */
    final Map<String, Supplier<Object>> subcommands = new LinkedHashMap<>();

    /** The fields of pairs whose values may be secrets, and are not printed. */
    final List<String> hidden = new ArrayList<>();

    /** True if {@code set} makes a missing resource. */
    boolean setMakes;

    private Lister lister = (client, scope) -> List.of();
    private Writer writer = (client, wanted, present) -> Map.of();
    private Remover remover = (client, present) -> {};
    private UnaryOperator<ObjectNode> view = tree -> tree;
    private BiFunction<BackendClient, ObjectNode, ObjectNode> detail = (client, tree) -> tree;
    private BiPredicate<JsonNode, Map<String, String>> managed = (tree, scope) -> true;
    private UnaryOperator<List<Resource>> choice = all -> all;
    private UnaryOperator<Resource> prepare = wanted -> wanted;
    private BiFunction<BackendClient, Resource, Boolean> prunable = (client, present) -> true;

    private ResourceKind(String name, String command, String description) {
        this.name = name;
        this.command = command;
        this.description = description;
    }

    static ResourceKind of(String name, String command, String description) {
        return new ResourceKind(name, command, description);
    }

    // ---- the words of the table

    /** Sets the component that is the name. */
    ResourceKind named(Field field) {
        identity.add(field.called("name"));
        return this;
    }

    /** Adds a field that identifies a resource besides its name. */
    ResourceKind within(Field field) {
        identity.add(field);
        return this;
    }

    /** Adds a field that tells resources of one name apart, and is needed only for that. */
    ResourceKind distinguishedBy(Field field) {
        loose.add(field.name());
        return within(field);
    }

    ResourceKind field(Class<? extends Record> request, String field, String text) {
        return field(Field.of(request, field, text));
    }

    ResourceKind field(Field field) {
        fields.add(field);
        return this;
    }

    /** Sets the fields of the views that tables show. */
    ResourceKind columns(String... all) {
        columns.addAll(List.of(all));
        return this;
    }

    ResourceKind lists(Lister call) {
        lister = call;
        return this;
    }

    ResourceKind puts(Writer call) {
        writer = call;
        return this;
    }

    ResourceKind removes(Remover call) {
        remover = call;
        return this;
    }

    /** Sets how a view is brought into the form of the fields. */
    ResourceKind viewed(UnaryOperator<ObjectNode> change) {
        view = change;
        return this;
    }

    /** Sets how a view of a list is completed. */
    ResourceKind detailed(BiFunction<BackendClient, ObjectNode, ObjectNode> call) {
        detail = call;
        return this;
    }

    /** Sets which of the listed resources can be changed. Others are only shown. */
    ResourceKind managed(BiPredicate<JsonNode, Map<String, String>> condition) {
        managed = condition;
        return this;
    }

    /** Sets which of several resources of one name is meant if only the name is given. */
    ResourceKind chooses(UnaryOperator<List<Resource>> rule) {
        choice = rule;
        return this;
    }

    /** Sets which resources {@code apply --prune} may delete. */
    ResourceKind prunes(BiFunction<BackendClient, Resource, Boolean> condition) {
        prunable = condition;
        return this;
    }

    /** Hides the values of a field of pairs when the field is printed. */
    ResourceKind hides(String field) {
        hidden.add(field);
        return this;
    }

    ResourceKind refuses(String verb, String reason) {
        refusals.put(verb, reason);
        return this;
    }

    ResourceKind subcommand(String verb, Supplier<Object> annotated) {
        subcommands.put(verb, annotated);
        return this;
    }

    ResourceKind setMakes() {
        setMakes = true;
        return this;
    }

    /** Sets how the fields that only this program knows become others. */
    ResourceKind prepares(UnaryOperator<Resource> change) {
        prepare = change;
        return this;
    }

    // ---- the calls

    /** Returns the request with the values of a tree. */
    static <T> T request(JsonNode tree, Class<T> type) throws JsonProcessingException {
        return REQUESTS.treeToValue(tree, type);
    }

    /** Returns a wanted resource with the values that its local fields lead to. */
    Resource prepare(Resource wanted) {
        return prepare.apply(wanted);
    }

    boolean isLocal(String field) {
        return fields.stream().anyMatch(one -> one.name().equals(field) && one.isLocal());
    }

    /**
     * Returns everything that the backend lists, also what cannot be changed.
     *
     * @param scope the values of {@link #identity} that say where to look
     */
    List<JsonNode> views(BackendClient client, Map<String, String> scope) {
        try {
            return lister.list(client, scope).stream()
                    .<JsonNode>map(one -> view.apply(MAPPER.valueToTree(one)))
                    .toList();
        } catch (BackendException failure) {
            // A project or an organisation that is still to be made has nothing yet.
            if (failure.status() == NOT_FOUND && !scope.isEmpty()) {
                return List.of();
            }
            throw failure;
        }
    }

    /** Returns the resources that can be changed. */
    List<Resource> present(BackendClient client, Map<String, String> scope) {
        return views(client, scope).stream()
                .filter(tree -> managed.test(tree, scope))
                .map(tree -> Resource.present(this, (ObjectNode) tree, scope))
                .toList();
    }

    /** Returns a listed resource with all its fields. */
    Resource detail(BackendClient client, Resource listed) {
        ObjectNode whole = detail.apply(client, ((ObjectNode) listed.view()).deepCopy());
        return Resource.present(this, whole, listed.metadata());
    }

    /** Returns the parts of an identity that say where to look. */
    Map<String, String> scope(Map<String, String> metadata) {
        Map<String, String> scope = new LinkedHashMap<>();
        List.of("project", "organisation").forEach(part -> {
            boolean isPart = identity.stream().anyMatch(field -> field.name().equals(part));
            if (isPart && metadata.get(part) != null) {
                scope.put(part, metadata.get(part));
            }
        });
        return scope;
    }

    /**
     * Returns the present resource with the identity of a wanted one; empty if there is none.
     *
     * @throws IllegalArgumentException if there are several
     */
    Optional<Resource> find(BackendClient client, List<Resource> present, Resource wanted) {
        List<Resource> all =
                present.stream().filter(one -> one.isMatchFor(wanted, loose)).toList();
        List<Resource> exact =
                present.stream().filter(one -> one.isExactly(wanted)).toList();
        List<Resource> found = exact.isEmpty() ? choice.apply(all) : exact;
        if (found.size() > 1) {
            throw new IllegalArgumentException(wanted.title() + ": there are " + found.size() + "; say which by "
                    + String.join(" or ", loose) + ", as ./outpost " + command + " list shows it");
        }
        return found.stream().findFirst().map(one -> detail(client, one));
    }

    /** Makes or changes a resource, and returns the view of the answer. */
    JsonNode put(BackendClient client, Resource wanted, Optional<Resource> present) {
        Resource whole = present.map(there -> wanted.over(there)).orElse(wanted);
        if (present.isEmpty()) {
            wanted.requireComplete();
        }
        BackendClient used = present.map(there -> expecting(client, there)).orElseGet(() -> client.expecting(0));
        try {
            return MAPPER.valueToTree(writer.put(used, whole, present));
        } catch (BackendException failure) {
            throw "changed-since".equals(failure.code()) ? changed(wanted, present.isPresent()) : failure;
        }
    }

    /** Returns a client whose changes are refused if the resource has another version by then. */
    private static BackendClient expecting(BackendClient client, Resource present) {
        return present.version() < 0 ? client : client.expecting(present.version());
    }

    private IllegalStateException changed(Resource wanted, boolean isPresent) {
        return new IllegalStateException(
                isPresent
                        ? wanted.title() + ": somebody else has changed it in the meantime; look at it, and try again"
                        : wanted.title() + ": it is there already; change it by ./outpost " + command + " set");
    }

    void remove(BackendClient client, Resource present) {
        refuse("delete");
        try {
            remover.remove(expecting(client, present), present);
        } catch (BackendException failure) {
            throw "changed-since".equals(failure.code()) ? changed(present, true) : failure;
        }
    }

    /** @throws IllegalArgumentException if the verb makes no sense */
    void refuse(String verb) {
        @Nullable String reason = refusals.get(verb);
        if (reason != null) {
            throw new IllegalArgumentException(command + ": " + reason);
        }
    }

    boolean isPrunable(BackendClient client, Resource present) {
        return !refusals.containsKey("delete") && prunable.apply(client, present);
    }

    /** Returns the name in lower case, for sentences. */
    @Override
    public String toString() {
        return name;
    }
}
