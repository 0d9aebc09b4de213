// The exercises: where to begin, which move is meant, and whether it is allowed or by which one condition it is not.

export const DRILLS = [
  { id: "castle_legal", group: "castling", fen: "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4", history: [], move: "e1g1" },
  { id: "castle_in_check", group: "castling", fen: "r1bqk2r/pppp1ppp/2n2n2/4p3/1bB1P3/3P1N2/PPP2PPP/RNBQK2R w KQkq - 1 5", history: [], move: "e1g1", reason: "castling_in_check" },
  { id: "castle_through", group: "castling", fen: "r2qk2r/p1pp1ppp/bpn2n2/4p3/4P3/2P2N2/PP1P1PPP/RNBQK2R w KQkq - 0 7", history: [], move: "e1g1", reason: "castling_through_attack" },
  { id: "castle_into", group: "castling", fen: "r1bqk2r/pppp1ppp/2n2n2/2b5/4P3/2NB1N2/PPP3PP/R1BQK2R w KQkq - 0 7", history: [], move: "e1g1", reason: "castling_into_attack" },
  { id: "castle_rook_attacked", group: "castling", fen: "4k3/6b1/8/8/8/8/4PPPP/R3K3 w Q - 0 1", history: [], move: "e1c1" },
  { id: "castle_king_moved", group: "castling", fen: "4k2r/pppp1ppp/8/8/8/8/PPPP1PPP/4K2R w Kk - 0 1", history: ["e1e2", "e8e7", "e2e1", "e7e8"], move: "e1g1", reason: "castling_king_moved" },
  { id: "ep_white", group: "en_passant", fen: "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", history: ["d7d5"], move: "e5d6" },
  { id: "ep_black", group: "en_passant", fen: "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", history: ["e2e4"], move: "d4e3" },
  { id: "ep_late", group: "en_passant", fen: "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", history: ["d7d5", "e1e2", "e8e7"], move: "e5d6", reason: "en_passant_too_late" },
  { id: "ep_pinned", group: "en_passant", fen: "8/3p4/8/K3P2r/8/8/8/4k3 b - - 0 1", history: ["d7d5"], move: "e5d6", reason: "en_passant_exposes_king" },
  { id: "promote_queen", group: "promotion", fen: "8/P3k3/8/8/8/8/8/4K3 w - - 0 1", history: [], move: "a7a8q" },
  { id: "promote_rook", group: "promotion", fen: "8/5P1k/5K2/8/8/8/8/8 w - - 0 1", history: [], move: "f7f8r" },
  { id: "promote_knight", group: "promotion", fen: "8/2P1k3/1q6/8/8/8/8/4K3 w - - 0 1", history: [], move: "c7c8n" },
];
