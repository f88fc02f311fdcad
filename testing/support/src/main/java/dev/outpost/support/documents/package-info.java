/** The code of documents, for the tests that compile and run it. */
package dev.outpost.support.documents;
