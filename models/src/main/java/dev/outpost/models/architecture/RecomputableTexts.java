package dev.outpost.models.architecture;

import dev.outpost.Tensor;
import java.util.List;

/** Whole texts without a cache. The output of a layer can be computed again from these tensors. */
interface RecomputableTexts extends KeyValues {
    List<Tensor> tensors();

    /** Returns the same texts with other handles of these tensors. */
    KeyValues over(List<Tensor> handles);
}
