"""Plans: questions, researchers and the tasks of each round."""
