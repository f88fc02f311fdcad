package dev.outpost.serving.engine;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.inference.BatchEngine;
import dev.outpost.inference.BatchListener;
import dev.outpost.inference.BatchSettings;
import dev.outpost.inference.BatchStatistics;
import dev.outpost.inference.ModelRunner;
import dev.outpost.models.CausalLM;
import dev.outpost.models.Tokenizer;
import dev.outpost.models.constraint.TokenConstraint;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** A model that generates texts. Thread-safe. */
public final class GeneratingModel implements ServedModel {
    private static final long MAX_CONSTRAINT_BYTES = 128L << 20;

    private final String name;
    private final CausalLM model;
    private final ModelRunner runner;
    private final BatchEngine engine;
    /** The number of its adapter; 0 for the model without an adapter. */
    private final int adapter;

    /** The model without an adapter; {@code this} if this model has none. */
    private final GeneratingModel base;

    private final ConstraintCache constraints;
    private final SchemaCompiler schemas;

    /** The key of a constraint that {@link #endingAfter} returns. */
    private record MinTokensKey(int minTokens, Set<Integer> stopTokens) {}

    GeneratingModel(String name, CausalLM model, ModelRunner runner, BatchSettings settings, BatchListener listener) {
        this.name = name;
        this.model = model;
        this.runner = runner;
        engine = new BatchEngine(runner, settings, listener);
        adapter = 0;
        base = this;
        constraints = new ConstraintCache(MAX_CONSTRAINT_BYTES);
        schemas = new SchemaCompiler(model::jsonSchema, constraints);
    }

    private GeneratingModel(String name, GeneratingModel base, int adapter) {
        this.name = name;
        this.base = base;
        this.adapter = adapter;
        model = base.model;
        runner = base.runner;
        engine = base.engine;
        constraints = base.constraints;
        schemas = base.schemas;
    }

    /** Returns the same model with one of its adapters, in the same batch. The result is closed with this model. */
    GeneratingModel adapted(String itsName, int number) {
        return new GeneratingModel(itsName, this, number);
    }

    /** Returns the number of the adapter that texts use; 0 for none. */
    int adapter() {
        return adapter;
    }

    @Override
    public String name() {
        return name;
    }

    public CausalLM model() {
        return model;
    }

    public Tokenizer tokenizer() {
        return model.tokenizer();
    }

    /** Returns the maximum number of tokens that a text can have, its prompt included. */
    public int textTokens() {
        return engine.textTokens();
    }

    public int vocabulary() {
        return runner.vocabulary();
    }

    public BatchStatistics statistics() {
        return engine.statistics();
    }

    /**
     * Returns the constraint that a text is JSON that satisfies a schema.
     *
     * @param schema null for any object
     * @param caller the caller of the request; few schemas of a caller are compiled at a time
     * @param isCancelled returns true once the client has disconnected
     * @throws TooManySchemasException if the limit of compilations for this caller is reached
     */
    public TokenConstraint json(JsonNode schema, String caller, BooleanSupplier isCancelled) {
        return schemas.constraint(schema == null ? "{\"type\": \"object\"}" : schema.toString(), caller, isCancelled);
    }

    /**
     * Returns the constraint that a text does not end before it has {@code minTokens} tokens.
     *
     * @param stopTokens further tokens that are not allowed before
     */
    public TokenConstraint endingAfter(int minTokens, Set<Integer> stopTokens) {
        MinTokensKey key = new MinTokensKey(minTokens, stopTokens);
        TokenConstraint known = constraints.find(key);
        if (known != null) {
            return known;
        }
        TokenConstraint constraint = TokenConstraint.endingAfter(minTokens, vocabulary(), model.ends(), stopTokens);
        constraints.add(key, (long) Long.BYTES * 4 * stopTokens.size(), constraint);
        return constraint;
    }

    BatchEngine engine() {
        return engine;
    }

    /** Ends running texts. */
    @Override
    public void close() {
        if (base != this) {
            return;
        }
        engine.close();
        runner.close();
        model.close();
    }
}
