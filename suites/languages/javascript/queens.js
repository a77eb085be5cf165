// Counts the ways to place n queens on a board of n by n, row by row, by backtracking.
function isSafe(column, placed) {
  return placed.every(function (other, row) {
    return other !== column && Math.abs(other - column) !== placed.length - row;
  });
}

function place(n, placed) {
  if (placed.length === n) {
    return 1;
  }
  let solutions = 0;
  for (let column = 0; column < n; column++) {
    if (isSafe(column, placed)) {
      solutions += place(n, placed.concat([column]));
    }
  }
  return solutions;
}

Packages.languages.Work.run('queens', arguments[0], n => String(place(n, [])));
