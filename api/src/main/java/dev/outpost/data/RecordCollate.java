package dev.outpost.data;

import java.util.List;

/** Makes records of a class from records and maps with the same components. */
record RecordCollate<B extends Record>(Class<B> type) implements Collate<Object, B> {
    @Override
    public B collate(List<?> elements) {
        return type.cast(RecordParts.of(type).into(elements, ""));
    }
}
