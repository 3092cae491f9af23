console.log('openperp')
